/* Finds out whether cookies are blocked, before other modules ask. */

const isStorageForbidden = () => {
  try {
    return !window.localStorage
  } catch {
    return true
  }
}

/** Browsers that block cookies forbid the storage too, but may say that cookies are enabled; parts of other apps forbid only the one. */
function keepsCookies(): boolean {
  const write = (pair: string) => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store does not answer before anything is painted
    document.cookie = `${pair}; path=/; samesite=strict`
  }
  if (document.cookie !== '') return true
  write('platenote-try=1')
  const isKept = document.cookie !== ''
  write('platenote-try=; max-age=0')
  return isKept
}

if (!navigator.cookieEnabled || (isStorageForbidden() && !keepsCookies()))
  document.documentElement.classList.add('stores-nothing')
