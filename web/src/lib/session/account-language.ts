import type { Locale } from '#contract/product.ts'
import { browserStore, LANGUAGE_KEY, readJson, storesNothing } from '~/lib/page/storage'
import { getStoredSession } from './stored-session.ts'

/*
 * Returns the language of the user's account (decision two-languages) without a request: every session carries it, and what was
 * chosen in this browser since the session was issued is stored beside it. The inline head script uses this too.
 */

type Choice = {
  userId: string
  locale: Locale
  /** The `expires_at` of the session in which it was chosen: another session was issued later, and knows better. */
  session: number
  /** Whether the account has it too. */
  saved: boolean
}

function readChoice(): Choice | null {
  const choice = readJson(browserStore, LANGUAGE_KEY) as Choice | undefined
  return choice && choice.userId === getStoredSession()?.user.id ? choice : null
}

/**
 * Returns the language of the account that is signed in here; null when nobody is, or it is not known, or nothing is stored: loading
 * the page in that language would sign out.
 */
export function accountLanguage(): Locale | null {
  const session = storesNothing ? null : getStoredSession()
  if (!session) return null
  const choice = readChoice()
  if (choice && (!choice.saved || choice.session === session.expires_at)) return choice.locale
  const locale: unknown = session.user.app_metadata?.['locale']
  return locale === 'en' || locale === 'fr-CA' ? locale : null
}

/** Returns the language chosen here that the account does not have yet; null when there is none. */
export function unsavedLanguage(): Locale | null {
  const choice = readChoice()
  return choice && !choice.saved ? choice.locale : null
}

/** Remembers the language that the signed-in person has chosen here, in every tab. */
export function rememberLanguage(locale: Locale, saved: boolean): void {
  const session = getStoredSession()
  if (!session) return
  const choice: Choice = { userId: session.user.id, locale, session: session.expires_at ?? 0, saved }
  browserStore.setItem(LANGUAGE_KEY, JSON.stringify(choice))
}

/** Saves the language as that of the account. Returns whether the account has it now; never throws. */
export async function saveLanguage(locale: Locale, token: string): Promise<boolean> {
  const saved = await fetch('/api/preferences', {
    method: 'PATCH',
    keepalive: true, // the page is being left
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ locale }),
  }).then(
    ({ ok }) => ok,
    () => false,
  )
  if (saved) rememberLanguage(locale, true)
  return saved
}
