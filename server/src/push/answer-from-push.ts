import type { PushAnswered } from '#contract/push.ts'
import type { AppContext } from '../context.ts'
import { replyToMessage } from '../messages/reply-to-message.ts'
import { countUnread, markMessageNotification } from '../notifications/queries.ts'
import { getMailLocale } from '../preferences/queries.ts'
import { refuse } from '../refusal.ts'
import { findDeviceIdentity, readAnswerToken } from './device-tokens.ts'
import { answeredNotification } from './payloads.ts'
import { findSubscriptionOwner } from './subscription-queries.ts'

/**
 * Answers a message with 'coming' for the person whose device got its push, by the token in it. The device must still be
 * theirs, and its session good: it ends with a sign-out, a suspension, and when somebody else switches notifications on in the
 * same browser. Every token that is worth nothing gets the same answer.
 *
 * Refuses with `not_found`, `already_replied`.
 */
export async function answerFromPush(context: AppContext, token: string): Promise<PushAnswered> {
  const { db, keyring, live } = context
  const claim = readAnswerToken(keyring, token, Date.now()) ?? refuse('not_found')
  const userId = (await findSubscriptionOwner(db, claim.sessionId)) ?? refuse('not_found')
  const { personHash } = (await findDeviceIdentity(db, { userId, sessionId: claim.sessionId })) ?? refuse('not_found')
  await replyToMessage(context, { id: userId, personHash }, claim.messageId, {
    reply: '',
    answer: 'coming',
  })
  await markMessageNotification(db, claim.messageId, userId, true)
  live.publish([userId])
  const locale = await getMailLocale(db, userId)
  return { ...answeredNotification(locale), lang: locale, unread: await countUnread(db, userId) }
}
