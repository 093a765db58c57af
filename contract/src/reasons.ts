import { COLLISION_KINDS, type CollisionKind } from './collisions.ts'
import { translateChipText } from './guest-chips.ts'
import type { MessageReason } from './messages.ts'
import type { Locale } from './product.ts'

/** 'other' has neither a name to show nor a template. */
type NamedReason = Exclude<MessageReason, 'other'>

/** The names of the reasons, shown to the owner in the owner's language. */
const NAMES: Record<Locale, Record<NamedReason, string>> = {
  en: {
    blocked_in: 'Your vehicle is blocking someone in',
    lights_on: 'Your lights are on',
    door_open: 'A door, window or trunk of your vehicle is open',
    alarm: 'Your alarm is going off',
    accident: 'Your vehicle was hit',
    flat_or_leak: 'A flat tire or a leak under your vehicle',
    towing: 'Your vehicle is about to be towed or ticketed',
    someone_inside: 'A child or an animal is inside your vehicle',
  },
  'fr-CA': {
    blocked_in: 'Votre véhicule bloque quelqu’un',
    lights_on: 'Vos phares sont allumés',
    door_open: 'Une portière, une vitre ou le coffre de votre véhicule est ouvert',
    alarm: 'L’alarme de votre véhicule sonne',
    accident: 'Votre véhicule a été accroché',
    flat_or_leak: 'Un pneu à plat ou une fuite sous votre véhicule',
    towing: 'Votre véhicule risque d’être remorqué ou de recevoir une contravention',
    someone_inside: 'Un enfant ou un animal est à l’intérieur de votre véhicule',
  },
}

/** The texts that choosing a reason fills in for the sender. */
const TEMPLATES: Record<Locale, Record<NamedReason, string>> = {
  en: {
    blocked_in: 'Hi! Your vehicle is blocking mine and I can’t get out. Could you please move it? Thank you!',
    lights_on: 'Hi! Your vehicle’s lights are on. You may want to turn them off before the battery dies.',
    door_open: 'Hi! A door, a window or the trunk of your vehicle is open. You may want to come close it.',
    alarm: 'Hi! Your vehicle’s alarm is going off. Could you please check on it? Thank you!',
    accident:
      'Hello. Your vehicle was involved in a minor accident. Please have a look at it and reply here, so that we can sort things out.',
    flat_or_leak:
      'Hi! One of your tires looks flat, or something is leaking under your vehicle. Please check before you drive.',
    towing: 'Hi! Your vehicle is about to be towed or ticketed. Please move it as soon as you can.',
    someone_inside:
      'There is a child or an animal inside your vehicle, possibly in danger. Please come to your vehicle right away.',
  },
  'fr-CA': {
    blocked_in:
      'Bonjour! Votre véhicule bloque le mien et je ne peux pas sortir. Pourriez-vous le déplacer, s’il vous plaît? Merci!',
    lights_on:
      'Bonjour! Les phares de votre véhicule sont allumés. Pensez à les éteindre avant que la batterie se vide.',
    door_open:
      'Bonjour! Une portière, une vitre ou le coffre de votre véhicule est ouvert. Vous voudrez peut-être venir le fermer.',
    alarm: 'Bonjour! L’alarme de votre véhicule sonne. Pourriez-vous venir vérifier, s’il vous plaît? Merci!',
    accident:
      'Bonjour. Votre véhicule a été touché dans un accrochage. Veuillez l’examiner et répondre ici, afin que nous puissions régler la situation.',
    flat_or_leak:
      'Bonjour! Un pneu de votre véhicule semble à plat, ou un liquide coule en dessous. Veuillez vérifier avant de prendre la route.',
    towing:
      'Bonjour! Votre véhicule est sur le point d’être remorqué ou de recevoir une contravention. Veuillez le déplacer dès que possible.',
    someone_inside:
      'Un enfant ou un animal se trouve dans votre véhicule et est peut-être en danger. Rendez-vous à votre véhicule immédiatement.',
  },
}

/** Earlier wordings, kept until no message has them any more: an unedited one is still translated for its reader. */
const FORMER_TEMPLATES: Partial<Record<NamedReason, readonly string[]>> = {
  blocked_in: ['Hello! Your vehicle is blocking mine and I can’t get out. Could you please move it? Thank you!'],
  lights_on: [
    'Hello! The lights of your vehicle are on. You may want to switch them off before the battery runs down.',
  ],
  door_open: [
    'Hello! A door, a window or the trunk of your vehicle is open. You may want to come and close it.',
    'Bonjour! Une portière, une vitre ou le coffre de votre véhicule est ouvert. Pensez à venir fermer.',
  ],
  alarm: ['Hello! The alarm of your vehicle is sounding. Could you please come and check on it? Thank you!'],
  flat_or_leak: [
    'Hello! A tire of your vehicle looks flat, or something is leaking under it. Please have a look before you drive off.',
  ],
  towing: [
    'Hello! Your vehicle is about to be towed or ticketed. Please come and move it as soon as you can.',
    'Bonjour! Votre véhicule est sur le point d’être remorqué ou de recevoir une contravention. Veuillez venir le déplacer dès que possible.',
  ],
}

/** The texts that saying what one did in a collision fills in. */
const COLLISION_TEMPLATES: Record<Locale, Record<CollisionKind, string>> = {
  en: {
    hit: 'Hello. I hit your vehicle, and I’m sorry. My name and phone number come with this message.',
    saw: 'Hello. I saw another vehicle hit yours. I can tell you what I saw: reply here.',
  },
  'fr-CA': {
    hit: 'Bonjour. J’ai heurté votre véhicule; toutes mes excuses. Mon nom et mon numéro de téléphone accompagnent ce message.',
    saw: 'Bonjour. J’ai vu un autre véhicule heurter le vôtre. Je peux vous dire ce que j’ai vu : répondez ici.',
  },
}

/** Returns the name of a reason for its reader; null for none and for 'other'. */
export const reasonName = (reason: MessageReason | null, locale: Locale): string | null =>
  reason === null || reason === 'other' ? null : NAMES[locale][reason]

/** Returns the text that choosing a reason fills in, in the sender's language; null for 'other'. */
export const messageTemplate = (reason: MessageReason, locale: Locale): string | null =>
  reason === 'other' ? null : TEMPLATES[locale][reason]

/** Returns the text that saying what one did in a collision fills in, in the sender's language. */
export const collisionTemplate = (kind: CollisionKind, locale: Locale): string => COLLISION_TEMPLATES[locale][kind]

const ALL_TEMPLATES = new Set(
  [...Object.values(TEMPLATES), ...Object.values(COLLISION_TEMPLATES)].flatMap((texts) => Object.values(texts)),
)

/** Returns whether a text is an unedited template, in any language. */
export const isMessageTemplate = (text: string): boolean => ALL_TEMPLATES.has(text.trim())

/**
 * Returns the text of a message for a reader of a language: an unedited template is translated, anything else stays as it
 * was written.
 */
export function localizedMessageText(
  { content, reason }: { content: string; reason: MessageReason | null },
  locale: Locale,
): string {
  if (reason === null || reason === 'other') return content
  const kind = COLLISION_KINDS.find((one) =>
    Object.values(COLLISION_TEMPLATES).some((texts) => texts[one] === content.trim()),
  )
  if (kind !== undefined && reason === 'accident') return COLLISION_TEMPLATES[locale][kind]
  const isUnedited = (text: string) =>
    Object.values(TEMPLATES).some((texts) => texts[reason] === text.trim()) ||
    (FORMER_TEMPLATES[reason]?.includes(text.trim()) ?? false)
  if (isUnedited(content)) return TEMPLATES[locale][reason]
  // left at a vehicle: the template, and below it sentences from a list (decision windshield-tag)
  const [template = '', ...chips] = content.split('\n')
  const sentences = isUnedited(template) ? chips.map((chip) => translateChipText(chip, locale)) : [null]
  return sentences.includes(null) ? content : [TEMPLATES[locale][reason], ...sentences].join('\n')
}
