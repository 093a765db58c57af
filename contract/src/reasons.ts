// chunk: reasons

import { m } from '#texts/messages.js'
import { COLLISION_KINDS, type CollisionKind } from './collisions.ts'
import { translateChipText } from './guest-chips.ts'
import type { MessageReason } from './messages.ts'
import { LOCALES, type Locale, type Text } from './product.ts'

/** 'other' has neither a name to show nor a template. */
type NamedReason = Exclude<MessageReason, 'other'>

/** The names of the reasons, shown to the owner. */
const NAMES: Record<NamedReason, Text> = {
  blocked_in: m.reason_name_blocked_in,
  lights_on: m.reason_name_lights_on,
  door_open: m.reason_name_door_open,
  alarm: m.reason_name_alarm,
  accident: m.reason_name_accident,
  flat_or_leak: m.reason_name_flat_or_leak,
  towing: m.reason_name_towing,
  someone_inside: m.reason_name_someone_inside,
}

/** The texts that choosing a reason fills in for the sender. */
const TEMPLATES: Record<NamedReason, Text> = {
  blocked_in: m.template_blocked_in,
  lights_on: m.template_lights_on,
  door_open: m.template_door_open,
  alarm: m.template_alarm,
  accident: m.template_accident,
  flat_or_leak: m.template_flat_or_leak,
  towing: m.template_towing,
  someone_inside: m.template_someone_inside,
}

/** The texts that saying what one did in a collision fills in. */
const COLLISION_TEMPLATES: Record<CollisionKind, Text> = {
  hit: m.template_collision_hit,
  saw: m.template_collision_saw,
}

/** Returns whether a text is one of the catalogue in any language, apart from white space around it. */
const isText = (text: Text, written: string): boolean =>
  LOCALES.some((locale) => text({}, { locale }) === written.trim())

/** Returns the name of a reason for its reader; null for none and for 'other'. */
export const reasonName = (reason: MessageReason | null, locale: Locale): string | null =>
  reason === null || reason === 'other' ? null : NAMES[reason]({}, { locale })

/** Returns the text that choosing a reason fills in, in the sender's language; null for 'other'. */
export const messageTemplate = (reason: MessageReason, locale: Locale): string | null =>
  reason === 'other' ? null : TEMPLATES[reason]({}, { locale })

/** Returns the text that saying what one did in a collision fills in, in the sender's language. */
export const collisionTemplate = (kind: CollisionKind, locale: Locale): string =>
  COLLISION_TEMPLATES[kind]({}, { locale })

/** Returns whether a text is an unedited template, in any language. */
export const isMessageTemplate = (text: string): boolean =>
  [...Object.values(TEMPLATES), ...Object.values(COLLISION_TEMPLATES)].some((template) => isText(template, text))

/**
 * Returns the text of a message for a reader of a language: an unedited template is translated, anything else stays as it
 * was written.
 */
export function localizedMessageText(
  { content, reason }: { content: string; reason: MessageReason | null },
  locale: Locale,
): string {
  if (reason === null || reason === 'other') return content
  const kind = COLLISION_KINDS.find((one) => isText(COLLISION_TEMPLATES[one], content))
  if (kind !== undefined && reason === 'accident') return collisionTemplate(kind, locale)
  const own = TEMPLATES[reason]
  if (isText(own, content)) return own({}, { locale })
  // left at a vehicle: the template, and below it sentences from a list (decision windshield-tag)
  const [template = '', ...chips] = content.split('\n')
  const sentences = isText(own, template) ? chips.map((chip) => translateChipText(chip, locale)) : [null]
  return sentences.includes(null) ? content : [own({}, { locale }), ...sentences].join('\n')
}
