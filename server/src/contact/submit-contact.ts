import type { ContactForm } from '#contract/contact.ts'
import type { Locale } from '#contract/product.ts'
import { newId } from '../db/ids.ts'
import { inTransaction } from '../db/transaction.ts'
import { queueSupportMail } from '../email/outbox.ts'
import { countAgainst, networkKey, scaled } from '../http/rate-limit.ts'
import { LIMITS } from '../limits.ts'
import type { Parts } from '../parts.ts'
import { refuse } from '../refusal.ts'
import { type Keyring, keyedHash } from '../sealing/seal.ts'
import { insertSubmission } from './queries.ts'
import { sealSubmission } from './submission-texts.ts'

/** Where it was written from: the address of the caller, and the language of the page. */
export type Origin = { ip: string; locale: Locale }

/**
 * Takes what somebody wrote on the contact page (spec §5): it is kept and its mail queued, or neither; after this has
 * returned neither is lost. The same again within ten minutes (a second press, a lost answer) is taken as the first
 * was, and is not a second message. Refuses with `too_many_requests` over the limit of the network (design §6).
 *
 * @param form parsed
 */
export async function submitContact(parts: Parts, form: ContactForm, { ip, locale }: Origin): Promise<void> {
  const { config, db, keyring, outbox } = parts
  const { most, windowS } = LIMITS.contacts
  const id = newId()
  const row = { id, ...sealSubmission(keyring, id, form), subject: form.subject, locale }
  await inTransaction(db, async (tx) => {
    if (!(await insertSubmission(tx, row, repeatHash(keyring, form)))) return
    // counted after it, so that a repeat neither counts nor is refused, and with it, so that what failed does not count
    const counted = await countAgainst(tx, networkKey(keyring, 'contact', ip), scaled(most, config), windowS)
    if (!counted.allowed) refuse('too_many_requests', { retryAfterS: counted.retryAfterS, limit: 'contact' })
    await queueSupportMail(tx, 'contact', id)
  })
  outbox.wake()
}

/** Without the network and the language: a new try may come by another way. */
const repeatHash = (keyring: Keyring, { name, email, subject, message }: ContactForm): Buffer =>
  keyedHash(keyring, 'contact', JSON.stringify([name, email, subject, message]))
