import { GUEST_LANGUAGES } from '#contract/guest-languages.ts'
import { displayPlate } from '#contract/plates.ts'
import { DEVICE_HEADER } from '#contract/tags.ts'
import { MINUTE_MS } from '#contract/time.ts'
import { loadPage } from '~/lib/page/load-page'
import { isPushSupported } from '~/lib/page/service-workers'
import { browserStore } from '~/lib/page/storage'
import {
  actionOf,
  ask,
  CLOCK,
  formatClock,
  type PlainFormHooks,
  parsePage,
  showFailure,
  showPage,
  startPage,
} from '~/lib/plain-form/plain-form'
import { carryPlate } from '~/lib/registration/carried-plate'
import { mayHaveSession } from '~/lib/session/open-session'
import { now } from '~/lib/time/now'

/* What the pages for people without an account add to their forms (decision windshield-tag). */

const LANGUAGE_KEY = 'platenote-guest-language'
const DEVICE_KEY = 'platenote-guest-device'
const DEVICE_BYTES = 18
const QUARTER_MS = 15 * MINUTE_MS
/** The shortest time that is worth announcing. */
const SOONEST_MS = 8 * MINUTE_MS
/** An answer is on the screen within two seconds. */
const POLL_INTERVAL_MS = 1_500
const POLL_TIMEOUT_MS = 10_000
/** By how much later than the page was told it asks again, so that the server agrees. */
const LATER_MS = 500
const VIBRATION_MS = 200

const find = <E extends HTMLElement = HTMLElement>(selector: string) => document.querySelector<E>(selector)
const languageSelect = () => find<HTMLSelectElement>('[data-language-form] select')
const receiptForm = () => find<HTMLFormElement>('form[data-receipt]')
const receiptInput = () => find<HTMLInputElement>('form[data-receipt] [name=receipt]')!

/**
 * Returns the random value that identifies this browser to the vehicles it leaves messages at, and stores it. It reveals
 * nothing but that two messages came from here.
 */
function guestDevice(): string {
  const stored = browserStore.getItem(DEVICE_KEY)
  if (stored && /^[\w-]{22,64}$/.test(stored)) return stored
  const random = crypto.getRandomValues(new Uint8Array(DEVICE_BYTES))
  const created = Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('')
  browserStore.setItem(DEVICE_KEY, created)
  return created
}

/** The quarter hour that is chosen, which an answer with what was typed does not know. */
let chosenUntil = ''

/** Offers the next quarter hours, in the time zone of this phone; one can be chosen. */
function offerUntil() {
  const box = find('[data-until]')
  if (!box) return
  const first = Math.ceil((now() + SOONEST_MS) / QUARTER_MS) * QUARTER_MS
  for (const [i, choice] of [...box.querySelectorAll('input')].entries()) {
    const at = new Date(first + i * QUARTER_MS)
    const pad = (part: number) => String(part).padStart(2, '0')
    choice.value = `until_${pad(at.getHours())}${pad(at.getMinutes())}`
    choice.checked = choice.value === chosenUntil
    choice.disabled = false
    choice.nextElementSibling!.textContent = box.dataset['until']!.replace('{time}', formatClock(box, at, CLOCK))
    choice.addEventListener('change', () => {
      chosenUntil = choice.checked ? choice.value : ''
      for (const other of box.querySelectorAll('input')) if (other !== choice) other.checked = false
    })
  }
  box.hidden = false
}

/** The language that was last asked for: another one may be wanted by the time it is there. */
let wantedLanguage: string | null = null

/** Shows this page in another language, with what is typed. Without a connection it says so, and nothing changes. */
async function showLanguage(language: string) {
  wantedLanguage = language
  const address = new URL(location.href)
  address.searchParams.set('language', language)
  const shown = find<HTMLInputElement>('main [name=language]')!
  try {
    const response = await fetch(address)
    const answer = parsePage(await response.text(), address.href)
    if (wantedLanguage !== language) return
    const texts = [...document.querySelectorAll<HTMLInputElement>('main form input[type=text][name]')]
    const typed = texts.map(({ name, value }) => [name, value] as const)
    const chosen = [...document.querySelectorAll<HTMLInputElement>('main input:checked')].map(({ value }) => value)
    history.replaceState(history.state, '', address)
    showPage(answer)
    for (const [name, value] of typed) find<HTMLInputElement>(`main [name=${name}]`)!.value = value
    for (const input of document.querySelectorAll<HTMLInputElement>('main :is([type=radio], [type=checkbox])'))
      input.checked = chosen.includes(input.value)
    languageSelect()?.focus()
  } catch {
    languageSelect()!.value = shown.value
    showFailure(shown.form!.dataset['network']!)
  }
}

/** Shows the language that was chosen here before. */
function startLanguage() {
  const stored = browserStore.getItem(LANGUAGE_KEY)
  const shown = find<HTMLInputElement>('main [name=language]')?.value
  const isKnown = GUEST_LANGUAGES.some((language) => language === stored)
  if (stored !== null && isKnown && shown !== undefined && stored !== shown && wantedLanguage !== stored)
    void showLanguage(stored)
}

let timer: ReturnType<typeof setTimeout> | undefined
/** Counts what was asked: what comes to a former question, which may have slept with the phone, is not shown. */
let round = 0
/** When the page changes with time alone. */
let nextAt = Number.POSITIVE_INFINITY

/** Asks what became of the message, now and every few moments while the page is seen, until nothing can come any more. */
async function poll() {
  clearTimeout(timer)
  const current = ++round
  const form = receiptForm()
  const state = find('[data-receipt-state]')?.dataset['receiptState']
  const isOver = now() >= nextAt
  if (!form || document.hidden || state === 'gone' || (state === 'answered' && nextAt === Number.POSITIVE_INFINITY))
    return
  try {
    if (state === '') return showPage(await ask(form))
    if (isOver) return await update(form)
    if (state === 'left') {
      offerPush()
      const signal = AbortSignal.timeout(POLL_TIMEOUT_MS)
      const response = await fetch(`/api/receipts/${receiptInput().value}`, { signal })
      const receipt: { state?: string } = await response.json()
      if (current !== round) return
      showFailure('')
      if (response.status === 404 || receipt.state === 'answered') return await update(form)
    }
  } catch {
    if (current === round) showFailure(form.dataset['network']!, false)
  }
  if (current === round) timer = setTimeout(() => void poll(), POLL_INTERVAL_MS)
}

/** Shows what has changed within the live region, so that it is announced and the focus stays. */
async function update(form: HTMLFormElement) {
  const { page } = await ask(form)
  const [live, changed] = [find('[data-receipt-state]')!, page.querySelector<HTMLElement>('[data-receipt-state]')!]
  const isNews = changed.dataset['receiptState'] === 'answered' && live.dataset['receiptState'] === 'left'
  Object.assign(live.dataset, { nextInMs: '' }, changed.dataset)
  live.replaceChildren(...changed.childNodes)
  find('[data-rest]')!.replaceWith(page.querySelector('[data-rest]')!)
  find('[data-push]')!.hidden ||= changed.dataset['receiptState'] !== 'left'
  startPage()
  const said = [...live.querySelectorAll<HTMLElement>('[data-answer]')].find((one) => one.getClientRects().length > 0)
  document.title = said?.textContent || page.title
  // a browser refuses it, and complains, on a page that nobody has touched
  if (isNews && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(VIBRATION_MS)
}

/** Follows a message: one that was just left, or that of the address. */
function followReceipt() {
  const form = receiptForm()
  if (!form) return
  const input = receiptInput()
  if (input.value === '') input.value = /^#([\w-]+)$/.exec(location.hash)?.[1] ?? ''
  else if (location.hash !== `#${input.value}`) history.replaceState(null, '', `${actionOf(form)}#${input.value}`)
  const remaining = Number(find('[data-receipt-state]')!.dataset['nextInMs'])
  nextAt = remaining > 0 ? now() + remaining + LATER_MS : Number.POSITIVE_INFINITY
  void poll()
}

/** Whether this phone will tell: the page may be shown anew after it was asked for. */
let isTold = false

/** Offers a notification of the answer on this phone; the code for it is loaded with the first tap. */
function offerPush() {
  const box = find('[data-push]')!
  const publicKey = box.dataset['push']!
  if (publicKey === '' || !isPushSupported() || !box.hidden) return
  box.hidden = false
  const [button, status] = [box.querySelector('button')!, box.querySelector('p')!]
  const show = (state: 'on' | 'blocked' | 'failed') => {
    isTold ||= state === 'on'
    button.hidden = isTold
    status.textContent = status.dataset[state] ?? ''
  }
  if (isTold) show('on')
  const tell = async () => {
    button.setAttribute('aria-disabled', 'true')
    show(await subscribe(receiptInput().value, publicKey).catch(() => 'failed' as const))
    button.removeAttribute('aria-disabled')
  }
  button.addEventListener('click', () => void tell())
}

async function subscribe(receipt: string, publicKey: string): Promise<'on' | 'blocked'> {
  if ((await Notification.requestPermission()) !== 'granted') return 'blocked'
  const { subscribeToPush } = await import('~/lib/push/push-subscription')
  const response = await fetch(`/api/receipts/${receipt}/push`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(await subscribeToPush(publicKey)),
  })
  if (!response.ok) throw new Error(`responded with ${response.status}`)
  return 'on'
}

document.addEventListener('visibilitychange', () => void poll())
addEventListener('online', () => void poll())
addEventListener('pageshow', ({ persisted }) => persisted && void poll())
addEventListener('hashchange', () => {
  const state = find('[data-receipt-state]')
  if (!state) return
  Object.assign(state.dataset, { receiptState: '', nextInMs: '' })
  receiptInput().value = ''
  isTold = false
  followReceipt()
})
document.addEventListener('change', ({ target }) => {
  if (target !== languageSelect()) return
  const { value } = target as HTMLSelectElement
  browserStore.setItem(LANGUAGE_KEY, value)
  void showLanguage(value)
})
// the guest's own plate is carried to where it is registered
document.addEventListener('submit', (event) => {
  const form = (event.target as HTMLElement).closest<HTMLFormElement>('[data-register] form')
  if (!form) return
  const plate = displayPlate(form.querySelector('input')!.value)
  if (plate !== '') carryPlate({ plate }) // the form there says what may be wrong with it
  event.preventDefault()
  loadPage(mayHaveSession() ? form.dataset['newVehicle']! : actionOf(form))
})

export const guestForms: PlainFormHooks = {
  headers: (form): Record<string, string> => (form.matches('[data-guest]') ? { [DEVICE_HEADER]: guestDevice() } : {}),
  onPage() {
    offerUntil()
    startLanguage()
    followReceipt()
  },
}
