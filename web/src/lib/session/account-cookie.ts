import { LOCALES, type Locale } from '#contract/product.ts'
import { cookieNames, toAccountCookie, UNSAVED } from '#contract/session-cookie.ts'
import { DAY_S } from '#contract/time.ts'
import { storesNothing } from '~/lib/page/storage'

/*
 * Whose session this browser has, and the language of the account (decision two-languages), without a request: the server keeps both in a
 * cookie beside that of the session, which no script can read. The inline head script uses this too.
 */

/** A script cannot end the session's cookie: this says that nobody is signed in, until the server has ended it. */
const SIGNED_OUT = 'signed-out'
/** The cookie of the session lives no longer. */
const KEPT_S = 90 * DAY_S

const isSecure = () => location.protocol === 'https:'
const name = () => cookieNames(isSecure()).account

function read(): string | undefined {
  const start = `${name()}=`
  const pair = document.cookie.split('; ').find((one) => one.startsWith(start))
  return pair?.slice(start.length)
}

const write = (value: string, maxAgeS: number) => {
  // biome-ignore lint/suspicious/noDocumentCookie: pages read and write it before anything is painted, which the Cookie Store cannot
  document.cookie = `${name()}=${value}; path=/; samesite=strict; max-age=${maxAgeS}${isSecure() ? '; secure' : ''}`
}

/** Returns whose session this browser has, as far as it knows; null when nobody is signed in. */
export function readAccount(): { userId: string; language: Locale; isUnsaved: boolean } | null {
  const value = storesNothing ? undefined : read()
  const [userId = '', tag] = value?.split('.') ?? []
  const language = LOCALES.find((one) => one === tag)
  return userId && language ? { userId, language, isUnsaved: value!.endsWith(UNSAVED) } : null
}

/** Forgets whose session it was. */
export const forgetAccount = (): void => write('', 0)

/** Signs out here and now, whether or not the server can be told. */
export const markSignedOut = (): void => write(SIGNED_OUT, KEPT_S)

/** Returns whether the server has yet to hear that somebody has signed out. */
export const isEndDue = (): boolean => !storesNothing && read() === SIGNED_OUT

/** Returns the language of the account that is signed in here; null when nobody is, or cookies are blocked: loading the page in that language would sign out. */
export const accountLanguage = (): Locale | null => readAccount()?.language ?? null

/** Returns the language chosen here that the account does not have yet; null when there is none. */
export function unsavedLanguage(): Locale | null {
  const account = readAccount()
  return account?.isUnsaved ? account.language : null
}

/** Remembers the language that the signed-in person has chosen here, in every tab. */
export function rememberLanguage(language: Locale, isSaved: boolean): void {
  const account = readAccount()
  if (account) write(toAccountCookie(account.userId, language) + (isSaved ? '' : UNSAVED), KEPT_S)
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
