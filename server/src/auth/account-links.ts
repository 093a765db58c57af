import type { FastifyInstance } from 'fastify'
import { type AccountLinkState, followAccountLink } from '#contract/email-change.ts'
import type { Locale } from '#contract/product.ts'
import type { AppContext } from '../context.ts'
import { type Db, sqlState } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { hashSecret } from '../encryption/secrets.ts'
import { publicRoute } from '../http/route.ts'
import { hashPerson } from '../limits/canonical-address.ts'
import { requestLocale } from '../locale.ts'
import { Refusal, refuse } from '../refusal.ts'
import { ACTIONS, findAccountLink, spendAccountLink } from './account-link-queries.ts'
import { cancelPending } from './change-user.ts'
import { type ConfirmOutcome, confirmChange } from './email-change.ts'
import { findAddressAt, setEmail, takeFormerAddresses } from './email-change-queries.ts'
import { recordEvent } from './events.ts'
import { undoFactors } from './factor-queries.ts'
import { getDefaultRedirect, queueLinkMail } from './link-mail.ts'
import { freeAddress, unlinkMailbox } from './mailbox.ts'
import { type ClientInfo, endAllSessions, readClientInfo } from './session-queries.ts'
import { lockUser, type UserRow, updateUser } from './user-queries.ts'

type Visit = { locale: Locale; clientInfo: ClientInfo }
type Outcome = ConfirmOutcome | { state: 'undone' }

const UNIQUE_VIOLATION = '23505'

/**
 * Registers what the links in emails about an account are for: they confirm a change of its address (decision email-change), or undo
 * what somebody else did to it (decision mailbox-keeps-the-account). Nobody has to be signed in: having the link proves that one reads
 * the mailbox. Only a page's button calls this, so that a mail scanner that opens links does nothing.
 *
 * Refuses with `email_link_invalid` and `email_unavailable`; the latter keeps a link that undoes.
 */
export function accountLinkRoutes(app: FastifyInstance, context: AppContext) {
  publicRoute(app, followAccountLink, async ({ action, token }, { request }) => {
    const hash = hashSecret(token)
    const visit = { locale: requestLocale(request), clientInfo: readClientInfo(request) }
    const outcome = await inTransaction(context.db, async (tx): Promise<Outcome> => {
      const found = await findAccountLink(tx, hash)
      if (!found || ACTIONS[found.purpose] !== action) refuse('email_link_invalid')
      const user = await lockUser(tx, found.user_id)
      // only now, under the lock: of two who use one link at the same moment the second finds none
      const link = user && (await spendAccountLink(tx, hash))
      if (!link) return refuse('email_link_invalid')
      return link.purpose === 'undo'
        ? undoChanges(context, tx, user, link.since, visit)
        : confirmChange(context.keyring, tx, user, link, visit.clientInfo)
    }).catch((error: unknown): Outcome => {
      // an account got the address at this moment
      if (sqlState(error) === UNIQUE_VIOLATION) return { refused: 'email_unavailable' }
      throw error
    })
    context.outbox.wake()
    // thrown after the commit: a change that came to nothing is gone
    if ('refused' in outcome) throw new Refusal(outcome.refused)
    return outcome satisfies { state: AccountLinkState }
  })
}

/**
 * Gives an account back to its mailbox, whatever was done in it since: nobody is signed in any more; the password, what waits to be used,
 * second factors that are young, and changes of the address are gone; factors that were removed are back; and the mailbox gets a link to
 * choose a new password. An admin's factors stay as they are. Works for a suspended person too, who stays suspended.
 */
async function undoChanges(
  { config, keyring }: Pick<AppContext, 'config' | 'keyring'>,
  tx: Db,
  user: UserRow,
  since: string,
  { locale, clientInfo }: Visit,
): Promise<Outcome> {
  const email = (await findAddressAt(tx, user.id, since)) ?? user.email
  if (!(await freeAddress(tx, email, user.id))) refuse('email_unavailable')
  const person = { userId: user.id, personHash: user.person_hash }
  for (const { mailbox_hash } of await takeFormerAddresses(tx, user.id, since)) {
    if (mailbox_hash) await unlinkMailbox(tx, mailbox_hash, person, (address) => hashPerson(keyring, address))
  }
  await setEmail(tx, user.id, email)
  if (!user.is_admin) await undoFactors(tx, user.id, since)
  await endAllSessions(tx, user.id)
  await cancelPending(tx, user.id)
  await updateUser(tx, user.id, null, user.user_metadata)
  await recordEvent(tx, keyring, { userId: user.id, type: 'changes_undone', clientInfo })
  await queueLinkMail(tx, user.id, 'recovery', null, getDefaultRedirect('recovery', locale, config))
  return { state: 'undone' }
}
