import { PRESSED, SUBMIT } from '~/lib/page/inline-head-attributes'
import { closest } from './closest.ts'

/**
 * Keeps the browser from submitting a form before its scripts run, so that no password and no address is sent in a plain
 * request. The attempt is noted on the form, and auth/SubmitButton.tsx submits it after hydration.
 */
export function guardSubmit() {
  const onPress = (event: Event) => {
    const form = closest(event, 'form')
    if (!form?.querySelector(`[${SUBMIT}=waiting]`) || !isSubmitAttempt(event)) return
    if (event.type !== 'click') event.preventDefault()
    form.setAttribute(PRESSED, '')
  }
  for (const type of ['click', 'keydown', 'submit']) document.addEventListener(type, onPress)
}

function isSubmitAttempt(event: Event): boolean {
  if (event.type === 'click') return closest(event, `[${SUBMIT}]`) !== null
  if (event.type === 'submit') return true
  const { key, isComposing, target } = event as KeyboardEvent
  return key === 'Enter' && (target as Element).tagName === 'INPUT' && !isComposing
}
