import { answerText } from '#contract/answers.ts'
import { COMING_ANSWERS } from '#contract/messages.ts'
import { localizedPath, paths } from '#contract/paths.ts'
import type { PushPayload } from '#contract/push.ts'
import { isMessageTemplate, localizedMessageText, reasonName } from '#contract/reasons.ts'
import { findDeviceActor } from '../auth/authenticate.ts'
import type { AppContext } from '../context.ts'
import { receivedRef, sentRef } from '../messages/list-messages.ts'
import { decryptContent, decryptReply } from '../messages/message-encryption.ts'
import { findReceived, findSent, type ReceivedRow } from '../messages/queries.ts'
import { countUnread } from '../notifications/queries.ts'
import { MINUTE_MS } from '../time.ts'
import { type DeviceLease, listPendingNotifications, type PendingNotification } from './delivery-queries.ts'
import { createAnswerToken } from './device-tokens.ts'
import {
  declarativePush,
  type PeopleNews,
  type PushText,
  peopleNotification,
  plateNotification,
  summaryNotification,
  textNotification,
} from './payloads.ts'

/** After this an answer is outdated, for example at the end of quiet hours. */
const ANSWER_IS_NEWS_MS = 15 * MINUTE_MS

/** Returns what is news of a message that was announced before; null: nothing is any more. */
function findNews(type: 'message_answered' | 'message_nudged', row: ReceivedRow): PeopleNews | null {
  const { reply_answer, replied_at, replied_by } = row
  if (type === 'message_nudged') return replied_at === null ? 'nudged' : null
  if (replied_at === null || Date.now() - Date.parse(replied_at) > ANSWER_IS_NEWS_MS || replied_by === 'me') return null
  return `${replied_by}_${reply_answer !== null && COMING_ANSWERS.includes(reply_answer) ? 'coming' : 'answered'}`
}

/** More new notifications than this become a single push. */
const MAX_SEPARATE_PUSHES = 3

/** A push, and the number of the newest notification it announces. */
type Push = { payload: PushPayload; number: string }

type RenderContext = Pick<AppContext, 'config' | 'db' | 'keyring' | 'log'>

/**
 * Writes the pushes a device needs, oldest first, from the current state of the database; leaves out what is gone. None for a
 * session that may not read at this moment: it gets them no later either.
 */
export async function buildPushes(source: RenderContext, lease: DeviceLease, isQuiet: boolean): Promise<Push[]> {
  const { locale } = lease
  if (!(await findDeviceActor(source, { userId: lease.user_id, sessionId: lease.session_id }))) return []
  const notifications = await listPendingNotifications(source.db, lease, isQuiet, MAX_SEPARATE_PUSHES)
  const count = notifications[0]?.count ?? 0
  if (count === 0) return []
  const unread = await countUnread(source.db, lease.user_id)
  if (count > MAX_SEPARATE_PUSHES) {
    const summary = summaryNotification(locale, count)
    const payload = declarativePush(source.config, { ...summary, tag: 'several', locale, unread })
    return [{ payload, number: lease.last_number }]
  }
  const pushes: Push[] = []
  for (const notification of notifications) {
    const content = await buildPushContent(source, lease, notification)
    if (!content) continue
    const payload = declarativePush(source.config, { ...content, tag: notification.id, locale, unread })
    pushes.push({ payload, number: notification.number })
  }
  return pushes
}

type PushContent = PushText & { answerable?: { messageId: string; token: string } }

const answerable = ({ keyring }: RenderContext, { session_id: sessionId }: DeviceLease, messageId: string) => ({
  messageId,
  token: createAnswerToken(keyring, { sessionId, messageId }, Date.now()),
})

async function buildPushContent(
  source: RenderContext,
  lease: DeviceLease,
  { type, data }: PendingNotification,
): Promise<PushContent | null> {
  const { locale, user_id: userId, message_text: showsText } = lease
  const decryptContext = { ...source, locale }
  if (type === 'message_received' && data.message_id) {
    const row = await findReceived(source.db, data.message_id, userId)
    // somebody else of the vehicle may have answered meanwhile
    if (!row || (row.replied_at !== null && row.replied_by !== 'me')) return null
    const content = showsText ? decryptContent(decryptContext, receivedRef(row), row).text : null
    const reason = reasonName(row.reason, locale)
    const text = textNotification(locale, 'message', {
      plate: row.plate,
      // a ready-made text already says what its reason does
      lead: content !== null && isMessageTemplate(content) ? null : reason,
      text: content === null ? null : localizedMessageText({ content, reason: row.reason }, locale),
      path: localizedPath(paths.messages('received', row.id), locale),
    })
    return row.replied_at === null ? { ...text, answerable: answerable(source, lease, row.id) } : text
  }
  if (type === 'message_replied' && data.message_id) {
    const row = await findSent(source.db, data.message_id, userId)
    if (!row) return null
    return textNotification(locale, 'reply', {
      plate: row.plate,
      lead: answerText(row.reply_answer, locale),
      text: showsText ? decryptReply(decryptContext, sentRef(row), row.reply_encrypted) : null,
      path: localizedPath(paths.messages('sent', row.id), locale),
    })
  }
  if ((type === 'message_answered' || type === 'message_nudged') && data.message_id) {
    const row = await findReceived(source.db, data.message_id, userId)
    const news = row && findNews(type, row)
    if (!news) return null
    const path = localizedPath(paths.messages('received', row.id), locale)
    const text = peopleNotification(locale, news, { plate: row.plate, path })
    return row.replied_at === null ? { ...text, answerable: answerable(source, lease, row.id) } : text
  }
  return plateNotification(locale, type, data)
}
