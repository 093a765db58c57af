/*
 * Runs inside every page before its first paint, with or without the rest of the scripts (its hash is in the CSP). Pages
 * without scripts get their theme, their signed-in buttons, the theme switch, their language and the flash message from here.
 * web/inline-head.ts bundles it; keep it small, because every page carries it.
 */
import './try-cookies.ts'
import { FLASH_MESSAGE } from '~/lib/page/inline-head-attributes'
import { storesNothing } from '~/lib/page/storage'
import { takeFlashMessage } from '~/lib/session/flash-message'
import { mayHaveSession } from '~/lib/session/open-session'
import { applyTheme, closeMenuOnLeave, guardSubmit, keepWantedPage, openLinkedQuestions } from './controls.ts'
import { followLanguageSwitch, offerLanguage, openInAccountLanguage } from './language.ts'
import { tellWhenNotAlive } from './not-alive.ts'
import { endSignedOutSession, startSession } from './start-session.ts'

const { classList } = document.documentElement

classList.add('scripted')
endSignedOutSession()
applyTheme()
markSignedIn()
if (!openInAccountLanguage()) startSession()
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
  if (storesNothing) return
  const mark = () => classList.toggle('signed-in', mayHaveSession())
  mark()
  // another tab signed in or out; browsers of before 2025 say so when this one is looked at again
  const { cookieStore } = window
  cookieStore?.addEventListener('change', mark)
  void cookieStore?.getAll().then(mark) // what changed before the browser listened
  for (const type of ['visibilitychange', 'pageshow']) addEventListener(type, mark)
}

/** Shows the message that the previous page left, where this page has an element for it. */
function showFlashMessage() {
  document.addEventListener('DOMContentLoaded', () => {
    const element = document.querySelector(`[${FLASH_MESSAGE}]`)
    if (element) element.textContent = takeFlashMessage()
  })
}
