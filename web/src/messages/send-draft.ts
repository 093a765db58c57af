import * as z from 'zod/mini'
import { Attachment } from '#contract/attachments.ts'
import { MessageReason } from '#contract/messages.ts'
import { Province } from '#contract/provinces.ts'
import { keepDraft, readDraft } from '~/lib/drafts'

const DRAFT = 'send'

/** An uploaded image waits an hour for its message (design §3); less here, for the time until it is sent. */
const IMAGE_WAITS_MS = 55 * 60_000

const text = z.catch(z.string(), '')

/** What is lost or of another kind is asked for again; the rest stays. */
const Draft = z.object({
  plate: text,
  content: text,
  reason: z.catch(z.union([MessageReason, z.literal('')]), ''),
  province: z.catch(z.union([Province, z.literal('')]), ''),
  /** The provinces this plate is registered in, once the server has asked which one it is. */
  provinces: z.catch(z.array(Province), []),
  /** The plate the address named when this was begun. */
  named: text,
  image: z.catch(z.nullable(z.extend(Attachment, { until: z.number() })), null),
})
type Draft = z.output<typeof Draft>

/**
 * What /send starts with: what was being written. A plate in the address goes before the one in the draft, but not
 * before what was typed over it.
 *
 * @param named the plate in the address; empty: none
 */
export function readSendDraft(named: string): Draft {
  const { image, ...kept } = Draft.parse(readDraft(DRAFT) ?? {})
  const draft = { ...kept, image: image && image.until > Date.now() ? image : null }
  if (named === '' || named === draft.named) return draft
  return { ...draft, plate: named, province: '', provinces: [], named }
}

/** Keeps a part of what is being written, beside what is kept already. */
export const keepInSendDraft = (part: Partial<Omit<Draft, 'image'>>) =>
  keepDraft(DRAFT, { ...Draft.parse(readDraft(DRAFT) ?? {}), ...part })

/** Keeps the uploaded image for the message; null: there is none. */
export const keepImageInSendDraft = (image: Attachment | null) =>
  keepDraft(DRAFT, {
    ...Draft.parse(readDraft(DRAFT) ?? {}),
    image: image && { ...image, until: Date.now() + IMAGE_WAITS_MS },
  })

export const forgetSendDraft = () => keepDraft(DRAFT, undefined)
