/* Finds out whether cookies are blocked, before other modules ask: browsers that block them may say that they are enabled. */

const write = (pair: string) => {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store does not answer before anything is painted
  document.cookie = `${pair}; path=/; samesite=strict`
}

if (document.cookie === '') {
  write('platenote-try=1')
  if (document.cookie === '') document.documentElement.classList.add('stores-nothing')
  else write('platenote-try=; max-age=0')
}
