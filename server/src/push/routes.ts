import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/push.ts'
import { countAgainst, personKey, scaled } from '../http/rate-limit.ts'
import { userRoute } from '../http/route.ts'
import { LIMITS } from '../limits.ts'
import type { Parts } from '../parts.ts'
import { localeOf } from '../preferences/queries.ts'
import { refuse } from '../refusal.ts'
import { addDevice } from './add-device.ts'
import { type Deliver, makeDeliver } from './deliver.ts'
import { deviceOf, forgetGone, removeDevice, setMessageText, showsMessageText } from './device-queries.ts'
import { areKeysGood, pushServiceUrl } from './device-rules.ts'
import { testTold } from './texts.ts'
import { readVapidKeys } from './vapid.ts'

/** Notifications on devices: which devices, and what they may show. */
export function pushRoutes(app: FastifyInstance, parts: Parts) {
  const { config, db } = parts
  const vapid = readVapidKeys(config)
  const deliver = vapid && makeDeliver(config, vapid)
  const stateOf = async (userId: string) => ({
    public_key: vapid?.publicKey ?? null,
    message_text: await showsMessageText(db, userId),
  })

  userRoute(app, contract.getPush, (_, { id }) => stateOf(id))
  userRoute(app, contract.changePush, async ({ message_text }, { id }) => {
    if (message_text !== undefined) await setMessageText(db, id, message_text)
    return stateOf(id)
  })
  userRoute(app, contract.addPushDevice, async (device, actor) => {
    if (!vapid) refuse('push_off')
    if (!pushServiceUrl(device.endpoint, config.PUSH_HOSTS)) refuse('push_service_unknown')
    if (!areKeysGood(device.keys)) refuse('invalid_input', { fields: { keys: 'not keys of a browser' } })
    await addDevice(db, actor, device, scaled(LIMITS.pushDevices.most, config))
  })
  userRoute(app, contract.removePushDevice, async ({ endpoint }, { id }) => {
    if (!(await removeDevice(db, id, endpoint))) refuse('not_found')
  })
  userRoute(app, contract.testPush, (_, actor) => sendTest(parts, deliver ?? refuse('push_off'), actor))
}

/** Refuses with `not_found` (this session's device has none), `too_many_requests`, `push_device_gone`, `push_failed`. */
async function sendTest(
  { config, db, keyring, log }: Parts,
  deliver: Deliver,
  { id, sessionId }: { id: string; sessionId: string },
): Promise<void> {
  const device = (await deviceOf(db, sessionId)) ?? refuse('not_found')
  const { most, windowS } = LIMITS.pushTestsAnHour
  const key = personKey(keyring, 'push-test', id)
  const { allowed, retryAfterS } = await countAgainst(db, key, scaled(most, config), windowS)
  if (!allowed) refuse('too_many_requests', { retryAfterS })
  const locale = await localeOf(db, id)
  const end = await deliver(device, { ...testTold(locale), tag: 'test', lang: locale })
  if (end.state === 'sent') return
  if (end.state === 'gone') {
    await forgetGone(db, sessionId, device.endpoint)
    refuse('push_device_gone')
  }
  log.warn({ word: end.word }, 'a test push was not taken')
  refuse('push_failed')
}
