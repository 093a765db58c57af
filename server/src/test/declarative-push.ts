import * as z from 'zod'
import type { PushPayload } from '#contract/push.ts'

/** Browsers resolve addresses against the page in the standard, and against nothing in Safari: only absolute ones are good. */
const absoluteUrl = z.string().refine((text) => URL.canParse(text))
/** A tag that can be read; a wrong one is ignored, and the text read out in the wrong language. */
const languageTag = z.string().refine((tag) => {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
})
const unsigned = z.int().min(0)

/**
 * The rules of declarative push messages: the explainer of WebKit, "parse a declarative push message" of the W3C Push API,
 * and what Safari refuses beyond it. Unknown members are ignored there; here they are an error, because each is a typing
 * mistake.
 */
const DeclarativePushMessage = z.strictObject({
  web_push: z.literal(8030),
  notification: z.strictObject({
    title: z.string().min(1),
    navigate: absoluteUrl,
    dir: z.enum(['auto', 'ltr', 'rtl']).optional(),
    lang: languageTag.optional(),
    body: z.string().optional(),
    tag: z.string().optional(),
    image: absoluteUrl.optional(),
    icon: absoluteUrl.optional(),
    badge: absoluteUrl.optional(),
    vibrate: z.array(unsigned).optional(),
    timestamp: unsigned.optional(),
    renotify: z.boolean().optional(),
    silent: z.boolean().optional(),
    requireInteraction: z.boolean().optional(),
    data: z.json().optional(),
    actions: z
      .array(
        z.strictObject({ action: z.string(), title: z.string(), navigate: absoluteUrl, icon: absoluteUrl.optional() }),
      )
      .optional(),
    /** Here for Safari. */
    app_badge: z.union([unsigned, z.string().regex(/^\d+$/)]).optional(),
    mutable: z.boolean().optional(),
  }),
  app_badge: unsigned.optional(),
  mutable: z.boolean().optional(),
})

/** Parses a push as a browser does that shows it without a service worker. Throws when it would show nothing. */
export const parseDeclarativePush = (text: string): PushPayload =>
  DeclarativePushMessage.parse(JSON.parse(text)) as PushPayload
