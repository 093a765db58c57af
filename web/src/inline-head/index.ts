/*
 * Runs inside every page before its first paint, with or without the rest of the scripts (its hash is in the CSP). Pages
 * without scripts get their theme, their signed-in buttons, the theme switch, their language and the flash message from here.
 * web/inline-head.ts bundles it; keep it small, because every page carries it.
 */
import { FLASH_MESSAGE } from '~/lib/page/inline-head-attributes'
import { storesNothing } from '~/lib/page/storage'
import { takeFlashMessage } from '~/lib/session/flash-message'
import { hasStoredSession } from '~/lib/session/stored-session'
import { applyTheme, closeMenuOnLeave, guardSubmit, keepWantedPage, openLinkedQuestions } from './controls.ts'
import { startEarlyFetches } from './early-fetch.ts'
import { followLanguageSwitch, offerLanguage, openInAccountLanguage } from './language.ts'
import { tellWhenNotAlive } from './not-alive.ts'

const { classList } = document.documentElement

classList.add('scripted')
if (storesNothing) classList.add('stores-nothing')
applyTheme()
markSignedIn()
if (!openInAccountLanguage()) startEarlyFetches()
keepWantedPage()
showFlashMessage()
closeMenuOnLeave()
guardSubmit()
tellWhenNotAlive()
followLanguageSwitch()
openLinkedQuestions()
offerLanguage()

/** Marks `<html>` while somebody is signed in: pages without scripts show their signed-in buttons by this class. */
function markSignedIn() {
  const mark = () => classList.toggle('signed-in', hasStoredSession())
  mark()
  addEventListener('storage', mark) // another tab signed in or out
  addEventListener('pageshow', mark) // a page restored from the back/forward cache missed that
}

/** Shows the message that the previous page left, where this page has an element for it. */
function showFlashMessage() {
  document.addEventListener('DOMContentLoaded', () => {
    const element = document.querySelector(`[${FLASH_MESSAGE}]`)
    if (element) element.textContent = takeFlashMessage()
  })
}
