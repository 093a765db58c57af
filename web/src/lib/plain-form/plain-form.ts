import { shownEmail } from '#contract/auth.ts'
import { PROOF_HEADER } from '#contract/proof-of-work.ts'
import { MINUTE_MS, SECOND_MS } from '#contract/time.ts'
import { asString, readDraftFields, saveDraft } from '~/lib/form/drafts'
import { normalizePlateInput } from '~/lib/plates/normalize-input'
import { fetchSignedIn } from '~/lib/session/open-session'
import { now } from '~/lib/time/now'

/*
 * What scripts add to a plain form (decision forms-before-scripts): nothing about the form itself, which the page describes and the server
 * judges. They send it without leaving the page and put the answer, which is a page too, in its place; say at once what is missing or that
 * there is no connection; keep drafts; and compute the proof that is asked for when many tries fail.
 */

const TIMEOUT_MS = 30 * SECOND_MS

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** What a page adds to its forms. */
export type PlainFormHooks = {
  /** Called for the page as it was loaded, and for every answer that takes its place. */
  onPage?: () => void
  /** Returns what is wrong with a field that the browser takes, before it is sent; undefined: nothing. */
  findError?: (control: Control) => string | undefined
  /** Returns further headers to send a form with. */
  headers?: (form: HTMLFormElement) => Record<string, string>
}

let hooks: PlainFormHooks[] = []

/** Takes over the plain forms of the page, now and in every answer; leaves them to a browser that is too old for it. */
export function startPlainForms(pages: PlainFormHooks[]) {
  if (!('adoptedStyleSheets' in document && 'toSorted' in [])) return
  hooks = pages
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    if (!form.matches('[data-plain-form]')) return
    event.preventDefault()
    if (!form.hasAttribute('aria-busy') && check(form)) void send(form)
  })
  document.addEventListener('input', (event) => onInput(event.target as Control, event))
  document.addEventListener('click', ({ target }) => {
    const details = (target as Element).closest('[data-close]')?.closest('details')
    if (!details) return
    details.open = false
    details.querySelector('summary')?.focus()
  })
  for (const type of ['online', 'offline']) addEventListener(type, showOffline)
  startPage()
}

const plainForms = () => [...document.querySelectorAll<HTMLFormElement>('form[data-plain-form]')]
const controlsOf = (form: HTMLFormElement) =>
  [...form.elements].filter((one) => 'name' in one && one.name !== '') as Control[]

/** Takes over what is on the page now. */
export function startPage() {
  for (const form of plainForms()) {
    form.noValidate = true // its own texts stand at the fields
    fillIn(form)
    for (const control of controlsOf(form)) count(control)
  }
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-local-time]')) showTime(time)
  showOffline()
  for (const { onPage } of hooks) onPage?.()
}

const DATE_AND_TIME = { dateStyle: 'medium', timeStyle: 'short' } as const
export const CLOCK = { hour: 'numeric', minute: '2-digit' } as const

/** Formats a time in the language of an element: in English with AM and PM, as in the app (requirements §9); its hour never breaks. */
export const formatClock = (element: HTMLElement, at: Date, parts: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(`${element.closest<HTMLElement>('[lang]')!.lang.replace('en-CA', 'en-US')}-u-nu-latn`, parts)
    .format(at)
    .replaceAll(/\s(?=h\b|[AP]M)/g, '\u00a0')
    .replaceAll(/\bh\s/g, 'h\u00a0') // without a lookbehind, which older phones cannot read

/** Shows a time, or how far off one is ('PT5M'), as it is on the clock of this device, which the server does not know. */
function showTime(time: HTMLTimeElement) {
  const minutes = /^PT(\d+)M$/.exec(time.dateTime)?.[1]
  const at = new Date(minutes ? now() + Number(minutes) * MINUTE_MS : time.dateTime)
  if (Number.isNaN(at.getTime())) return
  const parts = time.dataset['clock'] === undefined ? DATE_AND_TIME : CLOCK
  time.textContent = time.dataset['localTime']!.replace('{time}', formatClock(time, at, parts))
  time.hidden = false
}

/** Fills in the draft, and what is known of who is signed in; never over what was typed before the scripts ran. */
function fillIn(form: HTMLFormElement) {
  const { draft } = form.dataset
  if (draft === undefined) return
  const stored = readDraftFields(draft)
  const fill = (values: Record<string, unknown>) => {
    for (const control of controlsOf(form)) if (control.value === '') control.value = asString(values[control.name])
  }
  fill(stored)
  if (controlsOf(form).some(({ name, value }) => value === '' && (name === 'name' || name === 'email')))
    void fetchSignedIn().then((found) => {
      if (found) fill({ name: found.user.user_metadata['full_name'], email: shownEmail(found.user) })
    })
}

function onInput(control: Control, event: Event) {
  if (control.matches('[data-plate-input]')) normalizePlateInput(control as HTMLInputElement, event)
  const { form } = control
  if (!form?.matches('[data-plain-form]')) return
  count(control)
  if (errorElement(control)?.dataset['if']) showError(control, errorOf(control))
  if (form.dataset['draft'] !== undefined) saveDraft(form.dataset['draft'], Object.fromEntries(textsOf(form)))
}

/** Returns where a form is posted. Not its `action`, which is a field of that name where there is one. */
export const actionOf = (form: HTMLFormElement): string => {
  const address = new URL(form.getAttribute('action') ?? '', location.href)
  address.hash = ''
  return address.href
}

const textsOf = (form: HTMLFormElement) => [...new FormData(form)] as [string, string][]

/** Shows how many characters are left, or too many, once it comes close. */
function count(control: Control) {
  const counter = control.parentElement?.querySelector<HTMLElement>('[data-max-characters]')
  if (!counter) return
  const most = Number(counter.dataset['maxCharacters'])
  const left = most - Array.from(control.value).length
  const isOne = new Intl.PluralRules(document.documentElement.lang).select(Math.abs(left)) === 'one'
  const { left: some, leftOne, tooMany, tooManyOne } = counter.dataset
  const text = left < 0 ? (isOne ? tooManyOne : tooMany) : isOne ? leftOne : some
  const number = Math.abs(left).toLocaleString(document.documentElement.lang)
  counter.textContent = left <= most * 0.2 ? text!.replace('{count}', number) : ''
  counter.toggleAttribute('data-over', left < 0)
}

/** Returns what is wrong with a field as far as the browser can tell. */
const errorOf = (control: Control): string => {
  if (!control.validity.valid) return control.dataset['error'] ?? control.validationMessage
  const counter = control.parentElement?.querySelector('[data-over]')
  if (counter) return counter.textContent ?? ''
  for (const { findError } of hooks) {
    const error = findError?.(control)
    if (error) return error
  }
  return ''
}

/** Shows the first error of each field and moves the focus to the first field that has one; returns whether all are right. */
function check(form: HTMLFormElement): boolean {
  const wrong = controlsOf(form).filter((control) => {
    const error = errorOf(control)
    showError(control, error)
    return error !== ''
  })
  wrong[0]?.focus()
  return wrong.length === 0
}

/** Returns where what is wrong with a field is said; that of a choice stands below all of them. */
function errorElement(control: Control): HTMLElement | null {
  const isChoice = control.type === 'radio' || control.type === 'checkbox'
  const owner = isChoice ? control.closest('fieldset') : control
  const ids = owner?.getAttribute('aria-describedby')?.split(' ') ?? []
  return document.getElementById(ids.find((id) => id.endsWith('-error')) ?? '')
}

function showError(control: Control, text: string) {
  const error = errorElement(control)
  if (!error) return
  error.querySelector('span')!.textContent = text
  error.dataset['if'] = text
  if (control.type !== 'radio') control.setAttribute('aria-invalid', String(text !== ''))
}

/** Says why something failed; an empty text takes that back. */
export function showFailure(text: string, isFocused = true) {
  const failure = document.querySelector<HTMLElement>('[data-failure]')
  if (!failure) return
  failure.querySelector('p')!.textContent = text
  failure.dataset['if'] = text
  if (text !== '' && isFocused) failure.focus()
}

function setBusy(form: HTMLFormElement, isBusy: boolean, text?: string) {
  const button = form.querySelector('button:not([type=button])')
  // not `disabled`, which would drop the focus, and with it the reading position of a screen reader
  for (const [element, name] of [
    [form, 'aria-busy'],
    [button, 'aria-disabled'],
  ] as const)
    if (isBusy) element?.setAttribute(name, 'true')
    else element?.removeAttribute(name)
  for (const part of button?.querySelectorAll<HTMLElement>('[data-idle]') ?? []) part.hidden = isBusy
  for (const part of button?.querySelectorAll<HTMLElement>('[data-busy]') ?? []) {
    part.hidden = !isBusy
    if (text) part.lastElementChild!.textContent = text
  }
}

/** A page that answers, and the rules for it, which its own policy allows and that of this page does not. */
export type Answer = { page: Document; rules: CSSStyleSheet; url: string }

/** Reports an answer that is no page; its message can be shown. */
class NoPage extends Error {}

/** Posts a form as the browser would, and returns the page that answers. Rejects with what can be shown, or as `fetch` does. */
async function post(form: HTMLFormElement, headers: Record<string, string>): Promise<Answer> {
  const response = await fetch(actionOf(form), {
    method: 'POST',
    body: new URLSearchParams(textsOf(form)),
    headers: { 'accept-language': document.documentElement.lang, ...headers },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const text = await response.text()
  if (response.headers.get('content-type')?.startsWith('text/html')) return parsePage(text, response.url)
  throw new NoPage(errorTextIn(text) ?? form.dataset['failed'])
}

/** Reads a page of this site. */
export function parsePage(text: string, url: string): Answer {
  const rules = new CSSStyleSheet()
  const html = text.replace(/<style[^>]*>([\s\S]*?)<\/style>/, (_, css: string) => {
    rules.replaceSync(css)
    return ''
  })
  return { page: new DOMParser().parseFromString(html, 'text/html'), rules, url }
}

/** Returns the text of an error of the API, which answers where no page can. */
function errorTextIn(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { error?: string } | null)?.error
  } catch {
    return undefined
  }
}

/** Posts a form, with a proof of work if one is asked for; its code is loaded only then. */
export async function ask(form: HTMLFormElement): Promise<Answer> {
  const headers = Object.assign({}, ...hooks.map((page) => page.headers?.(form))) as Record<string, string>
  const answer = await post(form, headers)
  if (!answer.page.querySelector('[data-refused=proof_needed]')) return answer
  setBusy(form, true, form.dataset['checking'])
  const { computeProof } = await import('~/lib/proof-of-work/compute-proof')
  return post(form, { ...headers, [PROOF_HEADER]: await computeProof() })
}

async function send(form: HTMLFormElement) {
  setBusy(form, true)
  showFailure('')
  const { draft, delay = 0 } = form.dataset
  const address = actionOf(form)
  const typed = Object.fromEntries(textsOf(form))
  try {
    await new Promise((resolve) => setTimeout(resolve, Number(delay)))
    const answer = await ask(form)
    const isAccepted = answer.page.querySelector('[data-failure]:not([data-if=""])') === null
    showPage(answer)
    if (isAccepted) {
      // another one is written by the same person
      if (draft !== undefined) saveDraft(draft, { name: typed['name'], email: typed['email'] })
      if (answer.url !== address) history.replaceState(null, '', answer.url)
      for (const one of document.querySelectorAll<HTMLElement>('[data-sent-to]'))
        one.replaceChildren(...keeping(one.dataset['sentTo']!, '{email}', typed['email']?.trim() ?? ''))
    }
  } catch (error) {
    setBusy(form, false)
    showFailure((error instanceof NoPage && error.message) || form.dataset['network']!)
  }
}

/** The rules of the answer that is shown. */
let shownRules: CSSStyleSheet | undefined

/** Puts a page in the place of this one, and the focus where its reader goes on: what is wrong, or else its heading. */
export function showPage({ page, rules }: Answer) {
  document.title = page.title
  // extensions have sheets there too
  document.adoptedStyleSheets = [...document.adoptedStyleSheets.filter((sheet) => sheet !== shownRules), rules]
  shownRules = rules
  document.body.replaceWith(page.body)
  startPage()
  const isShown = (element: HTMLElement) => element.getClientRects().length > 0
  const [target] = [...document.querySelectorAll<HTMLElement>('[aria-invalid=true], [autofocus], h1')]
    .filter(isShown)
    .toSorted((a, b) => rank(a) - rank(b))
  target?.focus()
}

const rank = (element: HTMLElement) =>
  ['[aria-invalid=true]', '[autofocus]', 'h1'].findIndex((kind) => element.matches(kind))

function showOffline() {
  for (const note of document.querySelectorAll<HTMLElement>('[data-offline-note]')) {
    note.hidden = navigator.onLine
    const button = note.parentElement?.querySelector('button')
    if (note.hidden) button?.removeAttribute('aria-describedby')
    else button?.setAttribute('aria-describedby', note.id)
  }
}

/** Returns the nodes of a text with a value that browsers do not translate. */
function keeping(text: string, hole: string, value: string): (Node | string)[] {
  const [before = '', after = ''] = text.split(hole)
  return [before, Object.assign(document.createElement('span'), { translate: false, textContent: value }), after]
}
