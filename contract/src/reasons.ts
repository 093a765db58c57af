import type { MessageReason } from './messages.ts'
import type { Locale } from './product.ts'

/** 'other' has neither a name to show nor a template. */
type NamedReason = Exclude<MessageReason, 'other'>

/** The names of the reasons, shown to the owner in the owner's language. */
const NAMES: Record<Locale, Record<NamedReason, string>> = {
  en: {
    blocked_in: 'Your vehicle is blocking someone in',
    lights_on: 'The lights are on',
    door_open: 'A door, window or trunk is open',
    alarm: 'The alarm is sounding',
    accident: 'A minor accident',
    flat_or_leak: 'A flat tire or a leak',
    towing: 'About to be towed or ticketed',
    someone_inside: 'A child or an animal is inside',
  },
  'fr-CA': {
    blocked_in: 'Votre véhicule bloque quelqu’un',
    lights_on: 'Les phares sont allumés',
    door_open: 'Une portière, une vitre ou le coffre est ouvert',
    alarm: 'L’alarme sonne',
    accident: 'Un accrochage',
    flat_or_leak: 'Un pneu à plat ou une fuite',
    towing: 'Sur le point d’être remorqué ou de recevoir une contravention',
    someone_inside: 'Un enfant ou un animal est à l’intérieur',
  },
}

/** The texts that choosing a reason fills in for the sender. */
const TEMPLATES: Record<Locale, Record<NamedReason, string>> = {
  en: {
    blocked_in: 'Hello! Your vehicle is blocking mine and I can’t get out. Could you please move it? Thank you!',
    lights_on:
      'Hello! The lights of your vehicle are on. You may want to switch them off before the battery runs down.',
    door_open: 'Hello! A door, a window or the trunk of your vehicle is open. You may want to come and close it.',
    alarm: 'Hello! The alarm of your vehicle is sounding. Could you please come and check on it? Thank you!',
    accident:
      'Hello. Your vehicle was involved in a minor accident. Please have a look at it and reply here, so that we can sort things out.',
    flat_or_leak:
      'Hello! A tire of your vehicle looks flat, or something is leaking under it. Please have a look before you drive off.',
    towing: 'Hello! Your vehicle is about to be towed or ticketed. Please come and move it as soon as you can.',
    someone_inside:
      'There is a child or an animal inside your vehicle, possibly in danger. Please come to your vehicle right away.',
  },
  'fr-CA': {
    blocked_in:
      'Bonjour! Votre véhicule bloque le mien et je ne peux pas sortir. Pourriez-vous le déplacer, s’il vous plaît? Merci!',
    lights_on:
      'Bonjour! Les phares de votre véhicule sont allumés. Pensez à les éteindre avant que la batterie se vide.',
    door_open: 'Bonjour! Une portière, une vitre ou le coffre de votre véhicule est ouvert. Pensez à venir fermer.',
    alarm: 'Bonjour! L’alarme de votre véhicule sonne. Pourriez-vous venir vérifier, s’il vous plaît? Merci!',
    accident:
      'Bonjour. Votre véhicule a été touché dans un accrochage. Veuillez l’examiner et répondre ici, afin que nous puissions régler la situation.',
    flat_or_leak:
      'Bonjour! Un pneu de votre véhicule semble à plat, ou un liquide coule en dessous. Veuillez vérifier avant de prendre la route.',
    towing:
      'Bonjour! Votre véhicule est sur le point d’être remorqué ou de recevoir une contravention. Veuillez venir le déplacer dès que possible.',
    someone_inside:
      'Un enfant ou un animal se trouve dans votre véhicule et est peut-être en danger. Rendez-vous à votre véhicule immédiatement.',
  },
}

/** Returns the name of a reason for its reader; null for none and for 'other'. */
export const reasonName = (reason: MessageReason | null, locale: Locale): string | null =>
  reason === null || reason === 'other' ? null : NAMES[locale][reason]

/** Returns the text that choosing a reason fills in, in the sender's language; null for 'other'. */
export const messageTemplate = (reason: MessageReason, locale: Locale): string | null =>
  reason === 'other' ? null : TEMPLATES[locale][reason]

const ALL_TEMPLATES = new Set(Object.values(TEMPLATES).flatMap((texts) => Object.values(texts)))

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
  const isUnedited = Object.values(TEMPLATES).some((texts) => texts[reason] === content.trim())
  return isUnedited ? TEMPLATES[locale][reason] : content
}
