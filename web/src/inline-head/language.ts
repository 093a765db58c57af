import { ACCOUNT_PAGE, LANGUAGE_OFFER, LANGUAGE_SWITCH } from '~/lib/page/inline-head-attributes'
import { browserStore, storesNothing } from '~/lib/page/storage'
import { accountLanguage, rememberLanguage, saveLanguage } from '~/lib/session/account-cookie'
import { fetchSignedIn, mayHaveSession } from '~/lib/session/open-session'
import { closest } from './controls.ts'

/** Set once this browser has been offered the other language. */
const OFFERED_KEY = 'platenote-language-offered'
/** How long following the language link waits for the account to change. */
const SAVE_TIMEOUT_MS = 3_000

const page = document.documentElement
const pageLanguage = () => (page.lang.startsWith('fr') ? 'fr-CA' : 'en')

/** Returns this address in the other language. */
const otherPath = () =>
  pageLanguage() === 'en' ? `/fr${location.pathname}` : location.pathname.replace(/^\/fr(?=\/|$)/, '') || '/'

/**
 * Leaves a page of the app for the same page in the account's language, before anything is painted. Returns whether it does;
 * lib/guard/require-user.ts does the same once the session has been renewed.
 */
export function openInAccountLanguage(): boolean {
  const language = page.hasAttribute(ACCOUNT_PAGE) ? accountLanguage() : null
  if (!language || language === pageLanguage()) return false
  location.replace(otherPath() + location.search + location.hash)
  return true
}

/**
 * Makes the language link lead to this very address in the other language: a prerendered page knows neither its query nor
 * its fragment, and the page for unknown addresses not even its path. For somebody who is signed in it changes the account.
 */
export function followLanguageSwitch() {
  document.addEventListener('DOMContentLoaded', () => {
    for (const link of document.querySelectorAll<HTMLAnchorElement>(`[${LANGUAGE_SWITCH}=address]`))
      link.pathname = otherPath()
  })
  document.addEventListener('click', (event) => {
    const link = closest(event, `[${LANGUAGE_SWITCH}]`) as HTMLAnchorElement | null
    if (!link) return
    link.search = location.search
    link.hash = location.hash
    if (!page.classList.contains('signed-in')) return
    const language = pageLanguage() === 'en' ? 'fr-CA' : 'en'
    rememberLanguage(language, false)
    const saving = findToken().then((token) => (token ? saveLanguage(language, token) : false))
    // opens elsewhere, and this page stays; or follows inside the app (lib/page/without-storage.ts)
    if (storesNothing || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    const follow = () => location.assign(link.href)
    void Promise.race([saving, new Promise((done) => setTimeout(done, SAVE_TIMEOUT_MS))]).then(follow)
  })
}

/** Returns the token of the app, or, on a page that is without it, another one of the session. */
const findToken = async () =>
  window.platenoteToken ? window.platenoteToken().catch(() => null) : (await fetchSignedIn())?.access_token

/** Offers a visitor whose browser prefers the other language that language, once (`LanguageOffer` in ui/LanguageSwitch.tsx). */
export function offerLanguage() {
  if (mayHaveSession() || storesNothing || browserStore.getItem(OFFERED_KEY) !== null) return // it could not be once
  const preferred = navigator.languages.find((tag) => /^(en|fr)\b/i.test(tag))
  if (!preferred || /^fr/i.test(preferred) === (pageLanguage() === 'fr-CA')) return
  page.classList.add('offer-language')
  document.addEventListener('DOMContentLoaded', () => {
    if (document.querySelector(`[${LANGUAGE_OFFER}]`)) browserStore.setItem(OFFERED_KEY, '1')
  })
}
