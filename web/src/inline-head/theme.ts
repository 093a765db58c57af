import { THEME, THEME_SWITCH } from '~/lib/page/inline-head-attributes'
import { closest } from './closest.ts'

const STORAGE_KEY = 'theme'

type Theme = 'light' | 'dark'

/** Applies the theme the visitor chose, and switches it when the button is pressed. */
export function applyTheme() {
  const page = document.documentElement
  const systemTheme = matchMedia('(prefers-color-scheme: dark)')
  const stored = readStoredTheme()
  if (stored === 'light' || stored === 'dark') page.setAttribute(THEME, stored)
  document.addEventListener('click', (event) => {
    if (!closest(event, `[${THEME_SWITCH}]`)) return
    const system = systemTheme.matches ? 'dark' : 'light'
    const chosen = (page.getAttribute(THEME) ?? system) === 'dark' ? 'light' : 'dark'
    // back to what the system says: follow it again from now on
    const override = chosen === system ? null : chosen
    storeTheme(override)
    if (override) page.setAttribute(THEME, override)
    else page.removeAttribute(THEME)
  })
}

function readStoredTheme(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY)
  } catch {
    return null // storage is forbidden
  }
}

function storeTheme(theme: Theme | null) {
  try {
    if (theme) localStorage.setItem(STORAGE_KEY, theme)
    else localStorage.removeItem(STORAGE_KEY)
  } catch {
    // storage is forbidden: the choice lasts for this page
  }
}
