import { answerText } from '#contract/answers.ts'
import { localizedPath, paths } from '#contract/paths.ts'
import type { PushPayload } from '#contract/push.ts'
import { isMessageTemplate, localizedMessageText, reasonName } from '#contract/reasons.ts'
import type { AppContext } from '../context.ts'
import { receivedRef, sentRef } from '../messages/list-messages.ts'
import { decryptContent, decryptReply } from '../messages/message-encryption.ts'
import { findReceived, findSent } from '../messages/queries.ts'
import { type DeviceLease, listPendingNotifications, type PendingNotification } from './delivery-queries.ts'
import { messageNotification, replyNotification, summaryNotification, vehicleNotification } from './payloads.ts'

/** More new notifications than this become a single push. */
const MAX_SEPARATE_PUSHES = 3

/** A push, and the number of the newest notification it announces. */
export type Push = { payload: PushPayload; number: string }

type RenderContext = Pick<AppContext, 'db' | 'keyring' | 'log'>

/** Writes the pushes a device needs, oldest first, from the current state of the database; leaves out what is gone. */
export async function buildPushes(source: RenderContext, lease: DeviceLease, isQuiet: boolean): Promise<Push[]> {
  const { locale } = lease
  const notifications = await listPendingNotifications(source.db, lease, isQuiet, MAX_SEPARATE_PUSHES)
  const count = notifications[0]?.count ?? 0
  if (count > MAX_SEPARATE_PUSHES) {
    const payload = { ...summaryNotification(locale, count), tag: 'several', lang: locale }
    return [{ payload, number: lease.last_number }]
  }
  const pushes: Push[] = []
  for (const notification of notifications) {
    const text = await buildPushText(source, lease, notification)
    if (text) pushes.push({ payload: { ...text, tag: notification.id, lang: locale }, number: notification.number })
  }
  return pushes
}

async function buildPushText(source: RenderContext, lease: DeviceLease, { type, data }: PendingNotification) {
  const { locale, user_id: userId, message_text: showsText } = lease
  const decryptContext = { ...source, locale }
  if (type === 'message_received' && data.message_id) {
    const row = await findReceived(source.db, data.message_id, userId)
    if (!row) return null
    const content = showsText ? decryptContent(decryptContext, receivedRef(row), row.content_encrypted) : null
    const reason = reasonName(row.reason, locale)
    return messageNotification(locale, {
      plate: row.plate,
      // a ready-made text already says what its reason does
      reason: content !== null && isMessageTemplate(content) ? null : reason,
      text: content === null ? null : localizedMessageText({ content, reason: row.reason }, locale),
      url: localizedPath(paths.messages('received', row.id), locale),
    })
  }
  if (type === 'message_replied' && data.message_id) {
    const row = await findSent(source.db, data.message_id, userId)
    if (!row) return null
    return replyNotification(locale, {
      plate: row.plate,
      answer: answerText(row.reply_answer, locale),
      text: showsText ? decryptReply(decryptContext, sentRef(row), row.reply_encrypted) : null,
      url: localizedPath(paths.messages('sent', row.id), locale),
    })
  }
  return vehicleNotification(locale, type, data)
}
