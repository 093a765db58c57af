import * as z from 'zod/mini'
import { endpoint, IdParam } from './endpoint.ts'
import { checkText, PlateInput, Province, trimmedText } from './fields.ts'

/** What somebody who writes about a collision did: `hit` the vehicle, or `saw` it being hit (decision collision-messages). */
export const COLLISION_KINDS = ['hit', 'saw'] as const
export const CollisionKind = z.enum(COLLISION_KINDS)
export type CollisionKind = z.infer<typeof CollisionKind>

/** The photos of a card, besides the one of its message. */
export const COLLISION_PHOTOS_MAX = 3
/** Maximum lengths of what a card says, in characters. */
export const PARTICULARS_MAX = { name: 100, phone: 40, address: 200, insurer: 100, policy: 60 } as const

const optionalLine = (max: number) => z.optional(z.string().check(z.trim(), ...checkText(max)))

/** Who hit the vehicle, in their own words. */
export const Particulars = z.object({
  name: trimmedText(PARTICULARS_MAX.name, 'name_missing'),
  phone: trimmedText(PARTICULARS_MAX.phone, 'phone_missing'),
  address: trimmedText(PARTICULARS_MAX.address, 'address_missing'),
  insurer: optionalLine(PARTICULARS_MAX.insurer),
  policy: optionalLine(PARTICULARS_MAX.policy),
  /** The plate of the vehicle that hit the other. */
  plate: z.optional(PlateInput),
})
export type Particulars = z.output<typeof Particulars>

/** How a witness can be reached. Given only when the owner has asked, by the one who answers. */
export const WitnessContact = z.pick(Particulars, { name: true, phone: true })
export type WitnessContact = z.output<typeof WitnessContact>

/** What a message about a collision carries besides its text. */
export const Collision = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('hit'),
    /** Where it happened: whose duties the sender was shown. */
    province: Province,
    particulars: Particulars,
    /** Uploaded images; they become part of the card and stop being the account's. */
    photos: z._default(z.array(z.uuid()).check(z.maxLength(COLLISION_PHOTOS_MAX)), []),
    /** The sender knows that this is not anonymous. Nothing that names a person is taken without it. */
    not_anonymous: z.literal(true, 'not_anonymous'),
  }),
  z.object({
    kind: z.literal('saw'),
    /** Whether the sender is willing to be a witness. It releases nothing yet. */
    witness: z._default(z.boolean(), false),
  }),
])
export type Collision = z.output<typeof Collision>

/**
 * How far a witness and an owner have come: `offered` → `asked` by the owner → `released` or `declined` by the witness, who
 * can take the offer back (`withdrawn`) until then.
 */
export const WitnessState = z.enum(['offered', 'asked', 'released', 'declined', 'withdrawn'])
export type WitnessState = z.infer<typeof WitnessState>

/** The collision of a message, as either side sees it. The particulars of a hit are in its card alone. */
export const MessageCollision = z.object({
  kind: CollisionKind,
  /** Null: the sender did not offer to be a witness. */
  witness: z.nullable(WitnessState),
  /** Null unless released. */
  contact: z.nullable(WitnessContact),
})
export type MessageCollision = z.infer<typeof MessageCollision>

/** A card of particulars as its owner and its sender read it. */
export const CollisionCard = z.object({
  id: z.uuid(),
  /** As the reader of it writes the plate that was hit. */
  plate: z.string(),
  province: Province,
  sent_at: z.iso.datetime(),
  particulars: z.object({
    name: z.string(),
    phone: z.string(),
    address: z.string(),
    insurer: z.nullable(z.string()),
    policy: z.nullable(z.string()),
    plate: z.nullable(z.string()),
  }),
  /** As addresses that contain the image itself: nothing else leads to it. */
  photos: z.array(z.string()),
})
export type CollisionCard = z.infer<typeof CollisionCard>

export const getCollisionCard = endpoint({
  method: 'GET',
  path: '/api/messages/:id/collision',
  audience: 'user',
  summary: 'The card of particulars of a message about a collision, for the owner of the vehicle and for its sender.',
  input: IdParam,
  output: CollisionCard,
})

export const askWitness = endpoint({
  method: 'POST',
  path: '/api/messages/:id/witness/ask',
  audience: 'user',
  summary: 'Asks the witness of a received message for a contact. Asking again changes nothing.',
  input: IdParam,
  output: MessageCollision,
})

export const answerWitness = endpoint({
  method: 'POST',
  path: '/api/messages/:id/witness/answer',
  audience: 'user',
  summary: 'Answers the owner who asked: gives the contact, or declines.',
  input: z.extend(IdParam, { release: z.boolean(), contact: z.optional(WitnessContact) }).check(
    z.refine(({ release, contact }) => !release || contact !== undefined, {
      error: 'contact_missing',
      path: ['contact'],
    }),
  ),
  output: MessageCollision,
})

export const withdrawWitness = endpoint({
  method: 'DELETE',
  path: '/api/messages/:id/witness',
  audience: 'user',
  summary: 'Takes back the offer to be a witness, as long as no contact was given.',
  input: IdParam,
  output: MessageCollision,
})
