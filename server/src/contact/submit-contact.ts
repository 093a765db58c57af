import type { ContactForm } from '#contract/contact.ts'
import type { Locale } from '#contract/product.ts'
import { newId } from '../db/ids.ts'
import { inTransaction } from '../db/transaction.ts'
import { queueSupportMail } from '../email/outbox.ts'
import { countAgainst, networkKey, scaled } from '../http/rate-limit.ts'
import { LIMITS } from '../limits.ts'
import type { Parts } from '../parts.ts'
import { refuse } from '../refusal.ts'
import { insertSubmission } from './queries.ts'
import { sealSubmission } from './submission-texts.ts'

/** Where it was written from: the address of the caller, and the language of the page. */
export type Origin = { ip: string; locale: Locale }

/**
 * Takes what somebody wrote on the contact page (spec §5): it is kept and its mail queued, or neither; after this has
 * returned neither is lost. Refuses with `too_many_requests` over the limit of the network (design §6).
 *
 * @param form parsed
 */
export async function submitContact(parts: Parts, form: ContactForm, { ip, locale }: Origin): Promise<void> {
  const { config, db, keyring, outbox } = parts
  const { most, windowS } = LIMITS.contacts
  const counted = await countAgainst(db, networkKey(keyring, 'contact', ip), scaled(most, config), windowS)
  if (!counted.allowed) refuse('too_many_requests', { retryAfterS: counted.retryAfterS, limit: 'contact' })

  const id = newId()
  await inTransaction(db, async (tx) => {
    await insertSubmission(tx, { id, ...sealSubmission(keyring, id, form), subject: form.subject, locale })
    await queueSupportMail(tx, 'contact', id)
  })
  outbox.wake()
}
