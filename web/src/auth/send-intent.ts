import type { shownEmail } from '#contract/auth.ts'
import { HOUR_MS } from '#contract/time.ts'
import { SEND_INTENT_KEY as KEY } from '~/lib/form/drafts'
import { browserStore, readJson } from '~/lib/page/storage'
import { isAddressOf } from './pending-sign-up.ts'
import { isSendPage } from './safe-redirect.ts'

/** Long enough for an email to arrive, short enough for a computer that others use. */
const REMEMBERED_MS = HOUR_MS

type Intent = { email: string; next: string; until: number }

/**
 * Remembers that somebody wants to send a message, for the link of the email they wait for, which opens in another tab: for an
 * hour, for that address alone, and never what was written, which `draft-handover.ts` brings. Any other page is remembered by its tab only.
 *
 * @param email as it was typed; null: none is waited for
 * @param next where to go afterwards
 */
export function rememberSendIntent(email: string | null, next: string | null | undefined) {
  if (email === null || !next || !isSendPage(next)) return
  browserStore.setItem(KEY, JSON.stringify({ email, next, until: Date.now() + REMEMBERED_MS } satisfies Intent))
}

/** Returns where the owner of an account wanted to go when they asked for an email; null: nowhere, or it is too long ago. */
export function sendIntentOf(user: Parameters<typeof shownEmail>[0]): string | null {
  const { email, next, until } = (readJson(browserStore, KEY) ?? {}) as Partial<Intent>
  const isValid = typeof email === 'string' && typeof next === 'string' && typeof until === 'number'
  return isValid && until > Date.now() && isSendPage(next) && isAddressOf(user, email) ? next : null
}
