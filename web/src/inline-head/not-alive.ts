import { saveTyped } from '~/lib/form/typed'
import { NOT_ALIVE, RELOAD, SUBMIT } from '~/lib/page/inline-head-attributes'
import { closest } from './controls.ts'

/** How long a press waits for scripts that may still come. */
const PATIENCE_MS = 15_000

/** Says beside its button that a form cannot be sent: at once when scripts of the page have failed, else a while after a press. */
export function tellWhenNotAlive() {
  // of a file that does not come, or of one that the browser cannot read
  const onError = ({ target, filename }: ErrorEvent) =>
    ((target as Element).tagName === 'SCRIPT' || filename?.startsWith(location.origin)) && tell()
  addEventListener('error', onError, true)
  addEventListener('unhandledrejection', tell)
  document.addEventListener('click', (event) => {
    if (closest(event, `[${SUBMIT}=waiting]`)) setTimeout(tell, PATIENCE_MS)
    if (!closest(event, `[${RELOAD}]`)) return
    saveTyped()
    location.reload()
  })
}

/** Shows what the page has for it, which goes as soon as the page is alive. */
function tell() {
  const text = document.querySelector<HTMLElement>(`[${NOT_ALIVE}=${isTooOld() ? 'too-old' : 'not-loaded'}]`)
  if (text) text.hidden = false
}

/** Safari can read this since 16.4; as a literal it would keep older ones from reading this script. */
const LOOKBEHIND = '(?<=a)'

/** Returns whether the browser is older than those that the app is built for: Chrome and Edge 111, Safari 16.4, Firefox 115. */
function isTooOld(): boolean {
  try {
    return new RegExp(LOOKBEHIND).test('') || !('toSorted' in []) // Chrome has it since 110, Firefox since 115
  } catch {
    return true
  }
}
