/*
 * Runs inside every page before its first paint, with or without the rest of the scripts (its hash is in the CSP). Pages
 * without scripts get their theme, their signed-in buttons, the theme switch, their language and the flash message from here.
 * web/inline-head.ts bundles it; keep it small, because every page carries it.
 */
import { openLinkedAnswers } from './answers.ts'
import { startEarlyFetches } from './early-fetch.ts'
import { showFlashMessage } from './flash-message.ts'
import { followLanguageSwitch, offerLanguage, openInAccountLanguage } from './language.ts'
import { closeMenuOnLeave } from './menu.ts'
import { markSignedIn } from './signed-in.ts'
import { guardSubmit } from './submit-guard.ts'
import { applyTheme } from './theme.ts'

applyTheme()
markSignedIn()
document.documentElement.classList.add('scripted')
if (!openInAccountLanguage()) startEarlyFetches()
showFlashMessage()
closeMenuOnLeave()
guardSubmit()
followLanguageSwitch()
openLinkedAnswers()
offerLanguage()
