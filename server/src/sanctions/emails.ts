import { localizedPath, paths } from '#contract/paths.ts'
import { generateSecret, hashSecret } from '../auth/tokens.ts'
import type { MailBlock, RenderMail } from '../email/mail-content.ts'
import { formatMailTime } from '../email/mail-time.ts'
import { appealTexts, liftedTexts, sanctionTexts } from './email-texts.ts'
import { findDecidedAppeal, findSanction, insertAppealToken } from './queries.ts'
import { decryptSanctionText } from './sanction-encryption.ts'

const text = (content: string): MailBlock => ({ kind: 'text', text: content })

/**
 * Renders the mail kind `sanction`; its ref is the entry of the audit log. The token of its link is generated here, just before
 * the email is sent, and only the hash is stored: neither the queue nor a backup can appeal.
 */
export const renderSanction: RenderMail = async ({ config, db, keyring }, { locale, data }) => {
  const sanction = await findSanction(db, data['sanction_id'] ?? '')
  if (!sanction) return null
  const { id, kind, reason_encrypted, ends_at, appealable_until } = sanction
  const token = generateSecret()
  await insertAppealToken(db, hashSecret(token), id)
  const { what, person, howLong, why, noReason, appeal, button, note, ...rest } = sanctionTexts[locale]({
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
        ? [text(why), { kind: 'quote' as const, text: decryptSanctionText(keyring, 'reason', id, reason_encrypted) }]
        : [text(noReason)]),
      text(appeal),
      { kind: 'button', label: button, url: config.PUBLIC_URL + localizedPath(paths.appeal(token), locale) },
      { kind: 'note', text: note },
    ],
  }
}

/** Renders the mail kind `sanction_lifted`; its ref is the entry of the audit log. */
export const renderSanctionLifted: RenderMail = async ({ config, db, keyring }, { locale, data }) => {
  const sanction = await findSanction(db, data['sanction_id'] ?? '')
  if (!sanction) return null
  const { id, lift_reason_encrypted } = sanction
  const { what, why, button, ...rest } = liftedTexts[locale]
  return {
    ...rest,
    blocks: [
      text(what),
      ...(lift_reason_encrypted
        ? [
            text(why),
            { kind: 'quote' as const, text: decryptSanctionText(keyring, 'liftReason', id, lift_reason_encrypted) },
          ]
        : []),
      { kind: 'button', label: button, url: config.PUBLIC_URL + localizedPath(paths.dashboard(), locale) },
    ],
  }
}

/** Renders the mail kind `appeal_decided`; its ref is the entry of the audit log. */
export const renderAppealDecided: RenderMail = async ({ config, db, keyring }, { locale, data }) => {
  const appeal = await findDecidedAppeal(db, data['appeal_id'] ?? '')
  if (!appeal) return null
  const { what, why, button, ...rest } = appealTexts[locale](appeal.upheld)
  const reason = decryptSanctionText(keyring, 'decisionReason', appeal.id, appeal.decision_reason_encrypted)
  return {
    ...rest,
    blocks: [
      text(what),
      text(why),
      { kind: 'quote', text: reason },
      { kind: 'button', label: button, url: config.PUBLIC_URL + localizedPath(paths.dashboard(), locale) },
    ],
  }
}
