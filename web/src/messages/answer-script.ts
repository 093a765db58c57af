import { loadPage } from '~/lib/page/load-page'
import type { PlainFormHooks } from '~/lib/plain-form/plain-form'
import { fetchSignedIn } from '~/lib/session/open-session'
import { readClaims } from '~/lib/session/tab-session'

/* What the page of a link in an email adds to its forms (decision answer-links). */

/** Asks for the message of the link in the address. Which session this browser has is said too: its person reads the message in the app. */
async function askForMessage(form: HTMLFormElement) {
  const link = new URLSearchParams(location.hash.slice(1))
  const fill = (name: string, value: unknown) => {
    form.querySelector<HTMLInputElement>(`[name=${name}]`)!.value = typeof value === 'string' ? value : ''
  }
  fill('token', link.get('token'))
  fill('answer', link.get('answer'))
  fill('session', readClaims((await fetchSignedIn())?.access_token ?? '').session_id)
  form.querySelector('button')!.click()
}

const linkForm = () => document.querySelector<HTMLFormElement>('[data-answer-link]')

// another link of an email in the same tab
addEventListener('hashchange', () => {
  const form = linkForm()
  if (form) void askForMessage(form)
})

export const answerForms: PlainFormHooks = {
  onPage() {
    const form = linkForm()
    const appPage = document.querySelector<HTMLElement>('[data-app-page]')?.dataset['appPage']
    if (appPage) loadPage(appPage, { replace: true })
    // once: after a failure its button asks again
    else if (form?.dataset['answerLink'] && form.querySelector<HTMLInputElement>('[name=token]')!.value === '')
      void askForMessage(form)
  },
}
