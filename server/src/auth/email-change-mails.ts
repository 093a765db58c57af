import { EMAIL_CHANGE_HOURS, UNDO_DAYS } from '#contract/email-change.ts'
import { type Locale, PRODUCT } from '#contract/product.ts'
import type { MailContent, RenderMail, RenderMailWithoutAccount } from '../email/mail-content.ts'
import { formatMailTime } from '../email/mail-time.ts'
import { namedAddress } from '../email/shown-address.ts'
import { hashPerson } from '../limits/canonical-address.ts'
import { getMailLocale } from '../preferences/queries.ts'
import { makeConfirmLink, undoBlocks } from './account-link-mail.ts'
import { findEmailChangeById, findFormerAddress } from './email-change-queries.ts'
import { isMailboxClosed } from './mailbox.ts'
import { isEmailConfirmed } from './user-queries.ts'

/** A paragraph, a button or small print. */
type Line = string | { button: string; url: string } | { note: string }
type Texts = Omit<MailContent, 'blocks'> & { lines: Line[] }

const toContent = ({ lines, ...rest }: Texts): MailContent => ({
  ...rest,
  blocks: lines.map((line) =>
    typeof line !== 'string' && 'url' in line ? { button: line.button, to: line.url } : line,
  ),
})

/** The email to the present mailbox, of which the account may be in somebody else's hands. */
const CURRENT: Record<Locale, (newEmail: string, confirmUrl: string) => Texts> = {
  en: (newEmail, confirmUrl) => ({
    subject: `Confirm the change of your ${PRODUCT} email address`,
    preheader: 'If you didn’t ask for this, stop it here.',
    heading: 'Is this change yours?',
    lines: [
      `Someone who’s logged in to your ${PRODUCT} account asked to change its email address to ${newEmail}. The address changes only when this mailbox and the new one have both confirmed it.`,
      { button: 'Confirm the change', url: confirmUrl },
      { note: `The link works once, for ${EMAIL_CHANGE_HOURS} hours. If you do nothing, your address stays as it is.` },
    ],
    reason: `You’re receiving this email because a new address was entered for your ${PRODUCT} account.`,
  }),
  'fr-CA': (newEmail, confirmUrl) => ({
    subject: `Confirmez le changement de votre adresse courriel ${PRODUCT}`,
    preheader: 'Si ce n’était pas vous, arrêtez tout ici.',
    heading: 'Ce changement vient-il de vous?',
    lines: [
      `Une personne connectée à votre compte ${PRODUCT} a demandé de remplacer son adresse courriel par ${newEmail}. L’adresse ne change que si cette boîte et la nouvelle l’ont toutes deux confirmé.`,
      { button: 'Confirmer le changement', url: confirmUrl },
      {
        note: `Le lien fonctionne une seule fois, pendant ${EMAIL_CHANGE_HOURS} heures. Si vous ne faites rien, votre adresse reste la même.`,
      },
    ],
    reason: `Vous recevez ce courriel parce qu’une nouvelle adresse a été saisie pour votre compte ${PRODUCT}.`,
  }),
}

/** The email to the address that is asked for. It may be a stranger's: it says nothing about the account. */
const NEW: Record<Locale, (confirmUrl: string) => Texts> = {
  en: (confirmUrl) => ({
    subject: `Confirm your new email address for ${PRODUCT}`,
    preheader: 'One click, here and in your present mailbox.',
    heading: 'Confirm your new address',
    lines: [
      `Someone wants to use this address for their ${PRODUCT} account. If that was you, please confirm it. The address changes once your present mailbox has confirmed it too.`,
      { button: 'Confirm my new address', url: confirmUrl },
      {
        note: `The link works once, for ${EMAIL_CHANGE_HOURS} hours. If this wasn’t you, you can ignore this email: nothing will change.`,
      },
    ],
    reason: `You’re receiving this email because this address was entered as the new one of a ${PRODUCT} account.`,
  }),
  'fr-CA': (confirmUrl) => ({
    subject: `Confirmez votre nouvelle adresse courriel pour ${PRODUCT}`,
    preheader: 'Un clic, ici et dans votre boîte actuelle.',
    heading: 'Confirmez votre nouvelle adresse',
    lines: [
      `Quelqu’un souhaite utiliser cette adresse pour son compte ${PRODUCT}. Si c’était vous, veuillez la confirmer. L’adresse changera dès que votre boîte actuelle l’aura confirmé aussi.`,
      { button: 'Confirmer ma nouvelle adresse', url: confirmUrl },
      {
        note: `Le lien fonctionne une seule fois, pendant ${EMAIL_CHANGE_HOURS} heures. Si ce n’était pas vous, ignorez ce courriel : rien ne changera.`,
      },
    ],
    reason: `Vous recevez ce courriel parce que cette adresse a été saisie comme nouvelle adresse d’un compte ${PRODUCT}.`,
  }),
}

/** The same email where the address cannot be an account's: only the reader of the mailbox learns it. */
const UNAVAILABLE: Record<Locale, Texts> = {
  en: {
    subject: `This address can’t be used for another ${PRODUCT} account`,
    preheader: 'Nothing has changed.',
    heading: 'This address can’t be used',
    lines: [
      `Someone wants to use this address for their ${PRODUCT} account. That isn’t possible: it already belongs to an account, or can’t have one. Nothing has changed.`,
      'If that was you, log in with this address, or choose another one for your account. If it wasn’t, you can ignore this email.',
    ],
    reason: `You’re receiving this email because this address was entered as the new one of a ${PRODUCT} account.`,
  },
  'fr-CA': {
    subject: `Cette adresse ne peut pas servir à un autre compte ${PRODUCT}`,
    preheader: 'Rien n’a changé.',
    heading: 'Cette adresse ne peut pas être utilisée',
    lines: [
      `Quelqu’un souhaite utiliser cette adresse pour son compte ${PRODUCT}. Ce n’est pas possible : elle appartient déjà à un compte, ou ne peut pas en avoir. Rien n’a changé.`,
      'Si c’était vous, connectez-vous avec cette adresse, ou choisissez-en une autre pour votre compte. Sinon, ignorez ce courriel.',
    ],
    reason: `Vous recevez ce courriel parce que cette adresse a été saisie comme nouvelle adresse d’un compte ${PRODUCT}.`,
  },
}

/** The notice to the former mailbox, from which the change can be undone. */
const CHANGED: Record<Locale, (when: string) => Texts> = {
  en: (when) => ({
    subject: `Your ${PRODUCT} email address was changed`,
    preheader: `If this wasn’t you, you can undo it for ${UNDO_DAYS} days.`,
    heading: 'Your email address was changed',
    lines: [
      `The email address of your ${PRODUCT} account was changed on ${when}. Both mailboxes confirmed it. From now on our emails go to the new address, and this one no longer logs in.`,
      'If this was you, there’s nothing you need to do.',
    ],
    reason: `You’re receiving this email because this was the address of a ${PRODUCT} account.`,
  }),
  'fr-CA': (when) => ({
    subject: `Votre adresse courriel ${PRODUCT} a été modifiée`,
    preheader: `Si ce n’était pas vous, vous pouvez tout annuler pendant ${UNDO_DAYS} jours.`,
    heading: 'Votre adresse courriel a été modifiée',
    lines: [
      `L’adresse courriel de votre compte ${PRODUCT} a été modifiée le ${when}. Les deux boîtes l’ont confirmé. Nos courriels vont désormais à la nouvelle adresse, et celle-ci ne permet plus de se connecter.`,
      'Si c’était vous, vous n’avez rien à faire.',
    ],
    reason: `Vous recevez ce courriel parce que cette adresse était celle d’un compte ${PRODUCT}.`,
  }),
}

/** What undoing does besides what it always does: before the change, and after it. */
const ADDRESS_STAYS: Record<Locale, string> = {
  en: 'Your address stays as it is. ',
  'fr-CA': 'Votre adresse reste la même. ',
}
const ADDRESS_BACK: Record<Locale, string> = {
  en: 'Your account gets this address back. ',
  'fr-CA': 'Votre compte retrouve cette adresse. ',
}

/** Renders the email to the present mailbox; its ref is the change. */
export const renderEmailChangeCurrent: RenderMail = async (context, { id: mailId, refId, recipientId, locale }) => {
  const change = await findEmailChangeById(context.db, refId)
  if (!change || change.current_confirmed_at) return null
  const confirmUrl = await makeConfirmLink(context, 'confirm_current', refId)
  if (confirmUrl === null) return null
  const content = toContent(CURRENT[locale](namedAddress(change.new_email), confirmUrl))
  const undo = await undoBlocks(context, { mailId, userId: recipientId, locale }, ADDRESS_STAYS[locale])
  return { ...content, blocks: [...content.blocks, ...undo] }
}

/** Renders the email to the address that is asked for; its ref is the change. Only here is looked up whether it has an account. */
export const renderEmailChangeNew: RenderMailWithoutAccount = async (context, { refId }) => {
  const { db, keyring } = context
  const change = await findEmailChangeById(db, refId)
  if (!change || change.new_confirmed_at) return null
  const locale = await getMailLocale(db, change.user_id)
  const to = change.new_email
  if ((await isEmailConfirmed(db, to)) || (await isMailboxClosed(db, hashPerson(keyring, to)))) {
    return { ...toContent(UNAVAILABLE[locale]), to, locale }
  }
  const confirmUrl = await makeConfirmLink(context, 'confirm_new', refId)
  return confirmUrl === null ? null : { ...toContent(NEW[locale](confirmUrl)), to, locale }
}

/** Renders the notice to the former mailbox; its ref is the former address. */
export const renderEmailChanged: RenderMailWithoutAccount = async (context, { id: mailId, refId }) => {
  const former = await findFormerAddress(context.db, refId)
  if (!former) return null
  const locale = await getMailLocale(context.db, former.user_id)
  const content = toContent(CHANGED[locale](formatMailTime(former.changed_at, locale)))
  const undo = await undoBlocks(context, { mailId, userId: former.user_id, locale }, ADDRESS_BACK[locale])
  return { ...content, blocks: [...content.blocks, ...undo], to: former.email, locale }
}
