import type { EmailLinkAction } from '#contract/email-change.ts'
import { localizedPath, paths } from '#contract/paths.ts'
import type { Locale } from '#contract/product.ts'
import type { AppContext } from '../../context.ts'
import type { RenderMail, RenderMailWithoutAccount } from '../../email/mail-content.ts'
import { formatMailTime } from '../../email/mail-time.ts'
import { namedAddress } from '../../email/shown-address.ts'
import { getMailLocale } from '../../preferences/queries.ts'
import { generateSecret, hashSecret } from '../tokens.ts'
import { CHANGED_TEXTS, CURRENT_TEXTS, NEW_TEXTS, UNAVAILABLE_TEXTS } from './email-texts.ts'
import { isAddressOpen } from './follow-email-link.ts'
import { findEmailChangeById, findFormerAddress, insertChangeToken, insertUndoToken } from './queries.ts'

// The tokens of the links are generated here, just before the email is sent, and only their hashes are stored: neither the queue
// nor a backup can change anything. Each link leads to a page; opening it changes nothing.

const linkTo = ({ config }: AppContext, action: EmailLinkAction, token: string, locale: Locale): string =>
  config.PUBLIC_URL + localizedPath(paths.emailChange(action, token), locale)

/** Renders the email to the present mailbox; its ref is the change. */
export const renderEmailChangeCurrent: RenderMail = async (context, { refId, locale }) => {
  const { db } = context
  const change = await findEmailChangeById(db, refId)
  if (!change || change.current_confirmed_at) return null
  const [confirmToken, stopToken] = [generateSecret(), generateSecret()]
  if (!(await insertChangeToken(db, hashSecret(confirmToken), 'confirm_current', refId))) return null
  if (!(await insertChangeToken(db, hashSecret(stopToken), 'stop', refId))) return null
  const { what, confirm, once, notYou, stop, afterwards, ...rest } = CURRENT_TEXTS[locale](
    namedAddress(change.new_email),
  )
  return {
    ...rest,
    blocks: [
      { kind: 'text', text: what },
      { kind: 'button', label: confirm, url: linkTo(context, 'confirm', confirmToken, locale) },
      { kind: 'note', text: once },
      { kind: 'text', text: notYou },
      { kind: 'button', label: stop, url: linkTo(context, 'stop', stopToken, locale) },
      { kind: 'note', text: afterwards },
    ],
  }
}

/** Renders the email to the address that is asked for; its ref is the change. Only here is looked up whether it has an account. */
export const renderEmailChangeNew: RenderMailWithoutAccount = async (context, { refId }) => {
  const { db, keyring } = context
  const change = await findEmailChangeById(db, refId)
  if (!change || change.new_confirmed_at) return null
  const locale = await getMailLocale(db, change.user_id)
  const to = change.new_email
  if (!(await isAddressOpen(db, keyring, to))) {
    const { what, instead, ...rest } = UNAVAILABLE_TEXTS[locale]
    return {
      ...rest,
      to,
      locale,
      blocks: [
        { kind: 'text', text: what },
        { kind: 'text', text: instead },
      ],
    }
  }
  const token = generateSecret()
  if (!(await insertChangeToken(db, hashSecret(token), 'confirm_new', refId))) return null
  const { what, confirm, once, ...rest } = NEW_TEXTS[locale]
  return {
    ...rest,
    to,
    locale,
    blocks: [
      { kind: 'text', text: what },
      { kind: 'button', label: confirm, url: linkTo(context, 'confirm', token, locale) },
      { kind: 'note', text: once },
    ],
  }
}

/** Renders the notice to the former mailbox; its ref is the former address. */
export const renderEmailChanged: RenderMailWithoutAccount = async (context, { refId }) => {
  const { config, db } = context
  const former = await findFormerAddress(db, refId)
  if (!former) return null
  const locale = await getMailLocale(db, former.user_id)
  const token = generateSecret()
  if (!(await insertUndoToken(db, hashSecret(token), refId))) return null
  const [when, until] = [former.changed_at, former.undo_until].map((at) => formatMailTime(at, locale)) as [
    string,
    string,
  ]
  const { what, yours, notYours, undo, once, ...rest } = CHANGED_TEXTS[locale](when, until, config.SUPPORT_EMAIL)
  return {
    ...rest,
    to: former.email,
    locale,
    blocks: [
      { kind: 'text', text: what },
      { kind: 'text', text: yours },
      { kind: 'text', text: notYours },
      { kind: 'button', label: undo, url: linkTo(context, 'undo', token, locale) },
      { kind: 'note', text: once },
    ],
  }
}
