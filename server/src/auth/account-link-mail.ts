import { paths } from '#contract/paths.ts'
import type { Locale } from '#contract/product.ts'
import type { AppContext } from '../context.ts'
import type { MailBlock } from '../email/mail-content.ts'
import { formatMailTime } from '../email/mail-time.ts'
import { insertConfirmLink, insertUndoLink } from './account-link-queries.ts'
import { generateSecret, hashSecret } from './tokens.ts'

// The tokens of the links are generated here, just before the email is sent, and only their hashes are stored: neither the queue
// nor a backup can change anything. Each link leads to a page; opening it changes nothing.

/** Makes a link that confirms a change of address, as a page of `paths`; null when the change is over by now. */
export async function makeConfirmLink(
  { db }: Pick<AppContext, 'db'>,
  purpose: 'confirm_current' | 'confirm_new',
  changeId: string,
): Promise<string | null> {
  const token = generateSecret()
  const isMade = await insertConfirmLink(db, hashSecret(token), purpose, changeId)
  return isMade ? paths.accountLink('confirm', token) : null
}

type UndoTexts = { text: string; button: string; note: string }

/** What every email says of its way back; `thisToo` is what else it undoes. */
const UNDO: Record<Locale, (thisToo: string, until: string, support: string) => UndoTexts> = {
  en: (thisToo, until, support) => ({
    text: `If this wasn’t you, someone else may have access to your account: press “This wasn’t me”. ${thisToo}Everyone is signed out, the password stops working, any second step added in the last 7 days is removed, and we’ll email you a link to choose a new password. If anything else isn’t as you left it, write to ${support}.`,
    button: 'This wasn’t me',
    note: `The link works once, until ${until}.`,
  }),
  'fr-CA': (thisToo, until, support) => ({
    text: `Si ce n’était pas vous, quelqu’un d’autre a peut-être accès à votre compte : appuyez sur « Ce n’était pas moi ». ${thisToo}Tout le monde est alors déconnecté, le mot de passe ne fonctionne plus, toute deuxième étape ajoutée au cours des 7 derniers jours est retirée, et nous vous envoyons un lien pour choisir un nouveau mot de passe. Si autre chose a changé à votre insu, écrivez à ${support}.`,
    button: 'Ce n’était pas moi',
    note: `Le lien fonctionne une seule fois, jusqu’au ${until}.`,
  }),
}

/**
 * Writes the end of an email about something that somebody else may have done to an account, with a link that undoes it (decision
 * mailbox-keeps-the-account).
 *
 * @param mailId of the email, whose time is that of what it tells of
 * @param thisToo a sentence that says what else is undone, followed by a space
 */
export async function undoBlocks(
  context: Pick<AppContext, 'config' | 'db'>,
  { mailId, userId, locale }: { mailId: string; userId: string; locale: Locale },
  thisToo = '',
): Promise<MailBlock[]> {
  const token = generateSecret()
  const until = await insertUndoLink(context.db, hashSecret(token), userId, mailId)
  const { text, button, note } = UNDO[locale](thisToo, formatMailTime(until, locale), context.config.SUPPORT_EMAIL)
  return [text, { button, to: paths.accountLink('undo', token) }, { note }]
}
