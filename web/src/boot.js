// Runs inside every page before its first paint, with or without the rest of the scripts (allowed by its hash in the CSP).
// Pages without scripts get their theme, their signed-in buttons, the theme switch and the arrival notice from here.
;(() => {
  const page = document.documentElement
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const stored = (key) => {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  }
  const theme = stored('theme')
  if (theme === 'light' || theme === 'dark') page.dataset.theme = theme
  const markSignedIn = () => page.classList.toggle('signed-in', stored('sb-auth-token') !== null)
  markSignedIn()
  addEventListener('storage', markSignedIn) // another tab signed in or out
  addEventListener('pageshow', markSignedIn) // a page that comes back from the history slept through it
  page.classList.add('scripted')

  document.addEventListener('DOMContentLoaded', () => {
    const place = document.querySelector('[data-arrival-notice]')
    if (!place) return
    try {
      place.textContent = sessionStorage.getItem('platenote-notice') ?? ''
      sessionStorage.removeItem('platenote-notice')
    } catch {
      // storage is forbidden: nothing was left there
    }
  })

  document.addEventListener('click', (event) => {
    if (!event.target.closest('[data-theme-switch]')) return
    const system = dark.matches ? 'dark' : 'light'
    const wanted = (page.dataset.theme ?? system) === 'dark' ? 'light' : 'dark'
    try {
      // back to what the system says: follow it again from now on
      if (wanted === system) localStorage.removeItem('theme')
      else localStorage.setItem('theme', wanted)
    } catch {
      // storage is forbidden: the choice lasts for this page
    }
    if (wanted === system) delete page.dataset.theme
    else page.dataset.theme = wanted
  })
})()
