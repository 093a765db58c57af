// chunk: signed-in

import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { isSendable } from './fields.ts'

const PUSH_ENDPOINT_MAX = 1000
const TOKEN_MAX = 200

/** Returns a schema of bytes as browsers encode them: base64url, with or without padding. */
const base64url = (min: number, max: number) => z.string().check(z.regex(new RegExp(`^[\\w-]{${min},${max}}={0,2}$`)))

/** A browser's subscription, as `PushSubscription.toJSON()` returns it (W3C Push API §8). */
export const BrowserPushSubscription = z.object({
  /** The address at which the browser's push service accepts messages for it. */
  endpoint: z.string().check(z.minLength(1), z.maxLength(PUSH_ENDPOINT_MAX), z.refine(isSendable, 'unsendable')),
  keys: z.object({
    /** The browser's public key: an uncompressed point of P-256, 65 bytes. */
    p256dh: base64url(87, 87),
    /** The authentication secret it shares with us: 16 bytes. */
    auth: base64url(22, 22),
  }),
})
export type BrowserPushSubscription = z.infer<typeof BrowserPushSubscription>

const PushSettings = z.object({
  /** The VAPID key (RFC 8292 §3.2) to subscribe with, in base64url; null when this installation sends no pushes. */
  public_key: z.nullable(z.string()),
  /** Whether pushes show what another user wrote; applies to all devices of the user. */
  message_text: z.boolean(),
  /** What the service worker of this session's device gives its new address to us with, for as long as the session lasts. */
  renewal_token: z.string(),
})

/** The names of the buttons below a notification. */
type PushActionName = 'coming' | 'open'

/** A button below a notification, and the page it opens where no service worker handles it. */
type PushAction = { action: PushActionName; title: string; navigate: string }

/**
 * The payload of a push, encrypted for one device (RFC 8291): a declarative push message (W3C Push API), which a browser shows
 * without our code. One that knows nothing of them gives it to the service worker, which shows the same (decision device-notifications).
 */
export type PushPayload = {
  /** Distinguishes a declarative push message from other JSON: the number of the RFC. */
  web_push: 8030
  notification: {
    title: string
    body: string
    /** Language tag of the texts. */
    lang: string
    dir: 'ltr' | 'rtl'
    /** The address of the page it opens, with the origin. */
    navigate: string
    /** A push replaces a shown one with the same tag. */
    tag: string
    icon: string
    actions?: PushAction[]
    /** Where Safari reads it. */
    app_badge: number
    /** For the service worker. */
    data?: { answer_token: string }
  }
  /** The number on the app's icon, where the standard has it: the unread notifications. */
  app_badge: number
}

export const getPushSettings = endpoint({
  method: 'GET',
  path: '/api/push',
  audience: 'user',
  summary: 'What a browser needs to take notifications, and what they may show.',
  output: PushSettings,
})

export const updatePushSettings = endpoint({
  method: 'PATCH',
  path: '/api/push',
  audience: 'user',
  summary: 'Changes what notifications on devices may show.',
  input: z.object({ message_text: z.optional(z.boolean()) }),
  output: PushSettings,
})

export const savePushSubscription = endpoint({
  method: 'POST',
  path: '/api/push/subscriptions',
  audience: 'user',
  summary: 'Sends notifications to this device from now on, as long as this session lasts.',
  input: BrowserPushSubscription,
})

export const renewPushSubscription = endpoint({
  method: 'POST',
  path: '/api/push/renewals',
  audience: 'public',
  summary: 'Gives a device its new address when its push service has changed it, by the token of its session.',
  input: z.extend(BrowserPushSubscription, { token: z.string().check(z.maxLength(TOKEN_MAX)) }),
})

export const deletePushSubscription = endpoint({
  method: 'DELETE',
  path: '/api/push/subscriptions',
  audience: 'user',
  summary: 'Sends nothing to an own device any more.',
  input: z.pick(BrowserPushSubscription, { endpoint: true }),
})

export const sendTestPush = endpoint({
  method: 'POST',
  path: '/api/push/test',
  audience: 'user',
  summary: 'Sends a test to the device of this session, and answers when its push service has taken it.',
})

/** What the service worker shows once it has answered a message: in the language of the person. */
export const PushAnswered = z.object({ title: z.string(), body: z.string(), lang: z.string(), unread: z.number() })
export type PushAnswered = z.infer<typeof PushAnswered>

export const answerFromPush = endpoint({
  method: 'POST',
  path: '/api/push/answers',
  audience: 'public',
  summary: "Answers the message of a push with 'coming', by the token in it, while the session of its device lasts.",
  input: z.object({ token: z.string().check(z.maxLength(TOKEN_MAX)) }),
  output: PushAnswered,
})
