import type { Collision, CollisionKind, Particulars } from '#contract/collisions.ts'
import { displayPlate, isPlate } from '#contract/plates.ts'
import { PROVINCES, type Province } from '#contract/provinces.ts'
import { hasVisibleCharacter } from '#contract/visible-text.ts'
import { asOneOf, readDraftTexts } from '~/lib/form/drafts'
import type { FieldErrors } from '~/lib/form/use-form'
import { plateError } from '~/lib/plates/plate-error'
import { m } from '~/paraglide/messages'

/** What a card of particulars says, in the order of its fields. */
export const PARTICULARS = ['name', 'phone', 'address', 'insurer', 'policy', 'plate'] as const

export type Particular = (typeof PARTICULARS)[number]

/** The fields about a collision in the form of a message. Names of their own, so that browsers do not take this for the account's form. */
export type CollisionValues = {
  'collision-kind': CollisionKind | ''
  'collision-witness': string
  'collision-province': Province | ''
} & Record<`collision-${Particular}`, string>

/** Returns what a draft has of them. What the sender did is asked again. */
export const readCollisionFields = (draftName: string): CollisionValues => ({
  ...readDraftTexts(
    draftName,
    PARTICULARS.map((name) => `collision-${name}` as const),
  ),
  'collision-kind': '',
  'collision-witness': '',
  'collision-province': asOneOf(PROVINCES, readDraftTexts(draftName, ['collision-province'])['collision-province']),
})

/** Validates all of them; which ones are on the page depends on the answers so far. */
export function validateCollision(values: CollisionValues): FieldErrors<CollisionValues> {
  const plate = values['collision-plate']
  return {
    'collision-kind': values['collision-kind'] !== '' || m.collision_question_missing(),
    'collision-province': values['collision-province'] !== '' || m.field_province_missing(),
    'collision-name': hasVisibleCharacter(values['collision-name']) || m.field_name_missing(),
    'collision-phone': hasVisibleCharacter(values['collision-phone']) || m.field_phone_missing(),
    'collision-address': hasVisibleCharacter(values['collision-address']) || m.field_address_missing(),
    'collision-plate': !hasVisibleCharacter(plate) || isPlate(displayPlate(plate)) || plateError(plate),
  }
}

/** Returns what goes with a message whose fields are valid; null when they are not on the page yet. */
export function collisionOf(values: CollisionValues, photos: string[]): Collision | null {
  const { 'collision-kind': kind, 'collision-province': province } = values
  if (kind === 'saw') return { kind, witness: values['collision-witness'] === 'on' }
  if (kind === '' || province === '') return null
  const given = PARTICULARS.map((name) => [name, values[`collision-${name}`]] as const).filter(([, text]) =>
    hasVisibleCharacter(text),
  )
  return { kind, province, particulars: Object.fromEntries(given) as Particulars, photos, not_anonymous: true }
}
