import * as z from 'zod/mini'
import { EmptyObject, endpoint, NoContent } from './endpoint.ts'
import { isSendable, UNSENDABLE_TEXT } from './fields.ts'

export const PUSH_ENDPOINT_MAX = 1000

/** Returns a schema of bytes as browsers encode them: base64url, with or without padding. */
const base64url = (min: number, max: number) => z.string().check(z.regex(new RegExp(`^[\\w-]{${min},${max}}={0,2}$`)))

/** A browser's subscription, as `PushSubscription.toJSON()` returns it (W3C Push API §8). */
export const BrowserPushSubscription = z.object({
  /** The address at which the browser's push service accepts messages for it. */
  endpoint: z.string().check(z.minLength(1), z.maxLength(PUSH_ENDPOINT_MAX), z.refine(isSendable, UNSENDABLE_TEXT)),
  keys: z.object({
    /** The browser's public key: an uncompressed point of P-256, 65 bytes. */
    p256dh: base64url(87, 87),
    /** The authentication secret it shares with us: 16 bytes. */
    auth: base64url(22, 22),
  }),
})
export type BrowserPushSubscription = z.infer<typeof BrowserPushSubscription>

export const PushSettings = z.object({
  /** The VAPID key (RFC 8292 §3.2) to subscribe with, in base64url; null when this installation sends no pushes. */
  public_key: z.nullable(z.string()),
  /** Whether pushes show what another user wrote; applies to all devices of the user. */
  message_text: z.boolean(),
})
export type PushSettings = z.infer<typeof PushSettings>

/** The payload of a push, encrypted for one device (RFC 8291). The service worker shows it unchanged. */
export type PushPayload = {
  title: string
  body: string
  /** The page it opens, without the origin. */
  url: string
  /** A push replaces a shown one with the same tag. */
  tag: string
  /** Language tag of the texts. */
  lang: string
}

export const getPushSettings = endpoint({
  method: 'GET',
  path: '/api/push',
  audience: 'user',
  status: 200,
  summary: 'What a browser needs to take notifications, and what they may show.',
  input: EmptyObject,
  output: PushSettings,
})

export const updatePushSettings = endpoint({
  method: 'PATCH',
  path: '/api/push',
  audience: 'user',
  status: 200,
  summary: 'Changes what notifications on devices may show.',
  input: z.object({ message_text: z.optional(z.boolean()) }),
  output: PushSettings,
})

export const savePushSubscription = endpoint({
  method: 'POST',
  path: '/api/push/subscriptions',
  audience: 'user',
  status: 204,
  summary: 'Sends notifications to this device from now on, as long as this session lasts.',
  input: BrowserPushSubscription,
  output: NoContent,
})

export const deletePushSubscription = endpoint({
  method: 'DELETE',
  path: '/api/push/subscriptions',
  audience: 'user',
  status: 204,
  summary: 'Sends nothing to an own device any more.',
  input: z.pick(BrowserPushSubscription, { endpoint: true }),
  output: NoContent,
})

export const sendTestPush = endpoint({
  method: 'POST',
  path: '/api/push/test',
  audience: 'user',
  status: 204,
  summary: 'Sends a test to the device of this session, and answers when its push service has taken it.',
  input: EmptyObject,
  output: NoContent,
})
