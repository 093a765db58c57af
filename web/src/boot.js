// Runs inside every page before its first paint, with or without the rest of the scripts (allowed by its hash in the CSP).
// Pages without scripts get their theme, their signed-in buttons and the theme switch from here.
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
  if (stored('sb-auth-token')) page.classList.add('signed-in')
  page.classList.add('scripted')

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
