import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/push.ts'
import { findDeviceActor } from '../auth/authenticate.ts'
import { lockUser } from '../auth/user-queries.ts'
import type { AppContext } from '../context.ts'
import type { Pool } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Actor } from '../http/actor.ts'
import { publicRoute, userRoute } from '../http/route.ts'
import { enforceLimit } from '../limits/enforce-limit.ts'
import { LIMITS } from '../limits/limits.ts'
import { scaleLimit, userLimitKey } from '../limits/rate-limiter.ts'
import { replyToMessage } from '../messages/reply-to-message.ts'
import { countUnread } from '../notifications/queries.ts'
import { getMailLocale, isTextInPushes, setTextInPushes } from '../preferences/queries.ts'
import { refuse } from '../refusal.ts'
import { createRenewalToken, readAnswerToken, readRenewalToken } from './device-tokens.ts'
import { answeredNotification, declarativePush, testNotification } from './payloads.ts'
import { hasValidKeys, makeSendPush, parsePushServiceUrl, type SendPush } from './send-push.ts'
import {
  deleteGoneSubscription,
  deleteOldestSubscriptions,
  deleteSubscription,
  findSubscription,
  lockSession,
  replaceEndpoint,
  upsertSubscription,
} from './subscription-queries.ts'
import { loadVapidKeys } from './vapid.ts'

/** Whose device it is, and the session in its browser. */
type DeviceActor = Pick<Actor, 'id' | 'sessionId'>

/**
 * Notifies this device from now on. A browser has one address, so a user who signed in there before is no longer
 * notified there. A device beyond the limit replaces the user's oldest one.
 *
 * @param maxSubscriptions the limit of devices of a user, already scaled
 * @throws Refusal `session_ended` when the session ends at this moment
 */
const savePushSubscription = (
  db: Pool,
  { id, sessionId }: DeviceActor,
  subscription: contract.BrowserPushSubscription,
  maxSubscriptions: number,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    await lockUser(tx, id) // so that two devices of a user that are added at once are both counted
    if (!(await lockSession(tx, sessionId, id))) refuse('session_ended')
    await replaceEndpoint(tx, sessionId, id, subscription)
    await upsertSubscription(tx, sessionId, id, subscription)
    await deleteOldestSubscriptions(tx, sessionId, id, maxSubscriptions)
  })

/** Registers the routes about notifications on devices: which devices, and what they may show. */
export function pushRoutes(app: FastifyInstance, context: AppContext) {
  const { config, db, keyring } = context
  const vapid = loadVapidKeys(config)
  const sendPush = vapid && makeSendPush(config, vapid)
  const pushSettings = async ({ id, sessionId }: Actor) => ({
    public_key: vapid?.publicKey ?? null,
    message_text: await isTextInPushes(db, id),
    renewal_token: createRenewalToken(keyring, { userId: id, sessionId }),
  })
  const saveSubscription = async (actor: DeviceActor, device: contract.BrowserPushSubscription) => {
    if (!vapid) refuse('push_off')
    if (!parsePushServiceUrl(device.endpoint, config.PUSH_HOSTS)) refuse('push_service_unknown')
    if (!hasValidKeys(device.keys)) refuse('invalid_input', { fields: { keys: { code: 'browser_keys' } } })
    await savePushSubscription(db, actor, device, scaleLimit(LIMITS.pushSubscriptions.max, config))
  }

  userRoute(app, contract.getPushSettings, (_, actor) => pushSettings(actor))
  userRoute(app, contract.updatePushSettings, async ({ message_text }, actor) => {
    if (message_text !== undefined) await setTextInPushes(db, actor.id, message_text)
    return pushSettings(actor)
  })
  userRoute(app, contract.savePushSubscription, (device, actor) => saveSubscription(actor, device))
  publicRoute(app, contract.renewPushSubscription, async ({ token, ...device }) => {
    const session = readRenewalToken(keyring, token) ?? refuse('not_found')
    await saveSubscription((await findDeviceActor(context, session)) ?? refuse('not_found'), device)
  })
  userRoute(app, contract.deletePushSubscription, async ({ endpoint }, { id }) => {
    if (!(await deleteSubscription(db, id, endpoint))) refuse('not_found')
  })
  publicRoute(app, contract.answerFromPush, ({ token }) => answerFromPush(context, token))
  userRoute(app, contract.sendTestPush, (_, actor) => sendTestPush(context, sendPush ?? refuse('push_off'), actor))
}

/**
 * Sends a test push to this session's device. Refuses with `not_found` when it has no notifications,
 * `too_many_requests`, `push_device_gone` and `push_failed`.
 */
async function sendTestPush(
  { config, db, keyring, log }: AppContext,
  sendPush: SendPush,
  { id, sessionId }: { id: string; sessionId: string },
): Promise<void> {
  const { device } = (await findSubscription(db, sessionId)) ?? refuse('not_found')
  await enforceLimit(db, config, 'pushTestsPerHour', userLimitKey(keyring, 'push-test', id))
  const locale = await getMailLocale(db, id)
  const unread = await countUnread(db, id)
  const push = declarativePush(config, { ...testNotification(locale), tag: 'test', locale, unread })
  const result = await sendPush(device, push)
  if (result.state === 'sent') return
  if (result.state === 'gone') {
    await deleteGoneSubscription(db, sessionId, device.endpoint)
    refuse('push_device_gone')
  }
  log.warn({ reason: result.reason }, 'a test push was not taken')
  refuse('push_failed')
}

/**
 * Answers a message with 'coming' for the person whose device got its push, by the token in it. The device must still be
 * theirs, which it is not when somebody else has switched notifications on in the same browser, and its session good. Every token that is worth nothing gets the same answer.
 *
 * Refuses with `not_found`, `already_replied`.
 */
async function answerFromPush(context: AppContext, token: string): Promise<contract.PushAnswered> {
  const { db, keyring } = context
  const claim = readAnswerToken(keyring, token, Date.now()) ?? refuse('not_found')
  const { userId } = (await findSubscription(db, claim.sessionId)) ?? refuse('not_found')
  const actor = (await findDeviceActor(context, { userId, sessionId: claim.sessionId })) ?? refuse('not_found')
  await replyToMessage(context, actor, claim.messageId, { reply: '', answer: 'coming' })
  const locale = await getMailLocale(db, userId)
  return { ...answeredNotification(locale), lang: locale, unread: await countUnread(db, userId) }
}
