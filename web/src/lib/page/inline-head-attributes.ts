/*
 * Names the attributes by which pages and the inline head script (inline-head/) refer to each other. Pages without other scripts
 * have no other way to say what they need.
 */

/** On `<html>`: the addresses to fetch while the page's scripts load, separated by spaces. */
export const EARLY_FETCH = 'data-early-fetch'

/** On `<html>`: the theme the visitor chose, 'light' or 'dark'; the style sheet reads it. */
export const THEME = 'data-theme'

/** On the button that switches the theme. */
export const THEME_SWITCH = 'data-theme-switch'

/** On `<html>`: the page is for signed-in users, and shown in the language of their account. */
export const ACCOUNT_PAGE = 'data-account-page'

/** On a link to the page in the other language; 'address' where the page does not know its own path. */
export const LANGUAGE_SWITCH = 'data-language-switch'

/** On the line that offers a visitor the other language. */
export const LANGUAGE_OFFER = 'data-language-offer'

/** On the `<details>` that holds the header's menu. */
export const MENU = 'data-menu'

/** On the element that shows what happened just before the page was loaded. */
export const FLASH_MESSAGE = 'data-flash-message'

/** On a form's submit button: 'waiting' until the page is hydrated, 'ready' afterwards. */
export const SUBMIT = 'data-submit'

/** On what says beside such a button that the page cannot come alive: 'too-old' is the browser, or 'not-loaded' the scripts. */
export const NOT_ALIVE = 'data-not-alive'

/** On the button that loads the page again. */
export const RELOAD = 'data-reload'

/** On a form that was submitted before the page was hydrated. */
export const PRESSED = 'data-pressed'
