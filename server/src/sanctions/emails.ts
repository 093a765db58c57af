import { localizedPath, paths } from '#contract/paths.ts'
import type { Locale } from '#contract/product.ts'
import { generateSecret, hashSecret } from '../auth/tokens.ts'
import type { Config } from '../config.ts'
import type { MailBlock, MailContent, RenderMail } from '../email/mail-content.ts'
import { formatMailTime } from '../email/mail-time.ts'
import { appealTexts, DASHBOARD_BUTTON, liftedTexts, type OutcomeTexts, sanctionTexts, WHY } from './email-texts.ts'
import { findAppeal, findOwnSanction, insertAppealToken } from './queries.ts'
import { decryptSanctionText } from './sanction-encryption.ts'

const text = (content: string): MailBlock => ({ kind: 'text', text: content })
const quotedReason = (locale: Locale, reason: string): MailBlock[] => [
  text(WHY[locale]),
  { kind: 'quote', text: reason },
]

/**
 * Renders the mail kind `sanction`; its ref is the entry of the audit log. The token of its link is generated here, just before
 * the email is sent, and only the hash is stored: neither the queue nor a backup can appeal.
 */
export const renderSanction: RenderMail = async ({ config, db, keyring }, { locale, data }) => {
  const sanction = await findOwnSanction(db, data['sanction_id'] ?? '')
  if (!sanction) return null
  const { id, kind, reason_encrypted, ends_at, appealable_until } = sanction
  const token = generateSecret()
  await insertAppealToken(db, hashSecret(token), id)
  const { what, person, howLong, noReason, appeal, button, note, ...rest } = sanctionTexts[locale]({
    kind,
    until: ends_at && formatMailTime(ends_at, locale),
    appealUntil: formatMailTime(appealable_until, locale),
    supportEmail: config.SUPPORT_EMAIL,
  })
  return {
    ...rest,
    blocks: [
      text(what),
      ...(howLong ? [text(howLong)] : []),
      text(person),
      ...(reason_encrypted
        ? quotedReason(locale, decryptSanctionText(keyring, 'reason', id, reason_encrypted))
        : [text(noReason)]),
      text(appeal),
      { kind: 'button', label: button, url: config.PUBLIC_URL + localizedPath(paths.appeal(token), locale) },
      { kind: 'note', text: note },
    ],
  }
}

/** Renders the mail kind `sanction_lifted`; its ref is the entry of the audit log. */
export const renderSanctionLifted: RenderMail = async ({ config, db, keyring }, { locale, data }) => {
  const sanction = await findOwnSanction(db, data['sanction_id'] ?? '')
  if (!sanction) return null
  const { id, lift_reason_encrypted: encrypted } = sanction
  const reason = encrypted && decryptSanctionText(keyring, 'liftReason', id, encrypted)
  return outcomeMail(config, locale, liftedTexts[locale], reason)
}

/** Renders the mail kind `appeal_decided`; its ref is the entry of the audit log. */
export const renderAppealDecided: RenderMail = async ({ config, db, keyring }, { locale, data }) => {
  const appeal = await findAppeal(db, data['appeal_id'] ?? '')
  const encrypted = appeal?.decision_reason_encrypted
  if (!encrypted || appeal.upheld === null) return null
  const reason = decryptSanctionText(keyring, 'decisionReason', appeal.id, encrypted)
  return outcomeMail(config, locale, appealTexts[locale](appeal.upheld), reason)
}

const outcomeMail = (
  { PUBLIC_URL }: Config,
  locale: Locale,
  { what, ...texts }: OutcomeTexts,
  reason: string | null,
): MailContent => ({
  ...texts,
  blocks: [
    text(what),
    ...(reason === null ? [] : quotedReason(locale, reason)),
    { kind: 'button', label: DASHBOARD_BUTTON[locale], url: PUBLIC_URL + localizedPath(paths.dashboard(), locale) },
  ],
})
