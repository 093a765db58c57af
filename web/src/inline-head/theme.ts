import { THEME, THEME_SWITCH } from '~/lib/page/inline-head-attributes'
import { browserStore } from '~/lib/page/storage'
import { closest } from './closest.ts'

const STORAGE_KEY = 'theme'

/** Applies the theme the visitor chose, and switches it when the button is pressed. */
export function applyTheme() {
  const page = document.documentElement
  const systemTheme = matchMedia('(prefers-color-scheme: dark)')
  const stored = browserStore.getItem(STORAGE_KEY)
  if (stored === 'light' || stored === 'dark') page.setAttribute(THEME, stored)
  document.addEventListener('click', (event) => {
    if (!closest(event, `[${THEME_SWITCH}]`)) return
    const system = systemTheme.matches ? 'dark' : 'light'
    const chosen = (page.getAttribute(THEME) ?? system) === 'dark' ? 'light' : 'dark'
    // back to what the system says: follow it again from now on
    const override = chosen === system ? null : chosen
    if (override) {
      browserStore.setItem(STORAGE_KEY, override)
      page.setAttribute(THEME, override)
    } else {
      browserStore.removeItem(STORAGE_KEY)
      page.removeAttribute(THEME)
    }
  })
}
