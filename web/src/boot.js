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

  // What a page of the app reads first is asked for while its scripts load; lib/http/early-fetch.ts hands the answers out. With
  // a query the page may show something else, and a session that is about to end is renewed first. What is for admins is
  // asked by whoever was one when the session was stored; the page shows nothing of it before the server has said so again.
  const { reads } = page.dataset
  if (reads && !location.search) {
    try {
      const { access_token: token, expires_at: end, user } = JSON.parse(stored('sb-auth-token'))
      const headers = { authorization: `Bearer ${token}`, 'accept-language': page.lang }
      // RENEW_BEFORE_MS of lib/session/session.ts
      if (end * 1000 - Date.now() >= 90_000) {
        const answers = {}
        for (const url of reads.split(' ')) {
          if (url.startsWith('/api/admin/') && !user?.user_metadata?.is_admin) continue
          answers[url] = fetch(url, { headers })
          answers[url].catch(() => {}) // whoever takes it says so
        }
        window.platenoteReads = { token, answers }
        // The first use of Intl takes a slow phone up to a tenth of a second: better now than while the page is drawn. The
        // browser reads its languages in two parts, so they are two tasks.
        for (const part of [Intl.Collator, Intl.DateTimeFormat]) setTimeout(() => part(page.lang))
      }
    } catch {
      // nobody is signed in, or not so that it can be read here
    }
  }

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

  // The header's menu closes when one goes on: to a link in it, to anything outside it, or by Escape.
  const openMenu = () => document.querySelector('[data-menu][open]')
  const leaveMenu = ({ type, target }) => {
    const menu = openMenu()
    if (menu && (!menu.contains(target) || (type === 'click' && target.closest('a')))) menu.open = false
  }
  for (const type of ['pointerdown', 'focusin', 'click']) document.addEventListener(type, leaveMenu)
  document.addEventListener('keydown', (event) => {
    const menu = event.key === 'Escape' && openMenu()
    if (!menu) return
    menu.open = false
    menu.querySelector('summary').focus()
  })

  // A form that waits for its scripts sends nothing by itself, so no password and no address leaves with it. That it was
  // pressed is written on it; auth/SubmitButton.tsx reads that.
  const press = (event) => {
    const { type, target, key, isComposing } = event
    const form = target.closest('form')
    if (!form?.querySelector('[data-submit=waiting]')) return
    const enters = key === 'Enter' && target.tagName === 'INPUT' && !isComposing
    if (type === 'click' ? !target.closest('[data-submit]') : type === 'keydown' && !enters) return
    if (type !== 'click') event.preventDefault()
    form.dataset.pressed = ''
  }
  for (const type of ['click', 'keydown', 'submit']) document.addEventListener(type, press)

  // The page as it was written does not know what follows the path in this browser's address.
  document.addEventListener('click', ({ target }) => {
    const link = target.closest('[data-language-switch]')
    if (!link) return
    link.search = location.search
    link.hash = location.hash
  })
})()
