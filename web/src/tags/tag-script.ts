import { GUEST_LANGUAGES } from '#contract/guest-languages.ts'
import { displayPlate } from '#contract/plates.ts'
import { DEVICE_HEADER, type Receipt } from '#contract/tags.ts'
import { MINUTE_MS } from '#contract/time.ts'
import { loadPage } from '~/lib/page/load-page'
import { isPushSupported } from '~/lib/page/service-workers'
import { browserStore } from '~/lib/page/storage'
import {
  actionOf,
  ask,
  type PlainFormHooks,
  parsePage,
  showFailure,
  showPage,
  startPage,
} from '~/lib/plain-form/plain-form'
import { carryPlate } from '~/lib/registration/carried-plate'
import { getStoredUser } from '~/lib/session/stored-session'
import { now } from '~/lib/time/now'

/* What the pages for people without an account add to their forms (decision windshield-tag). */

const LANGUAGE_KEY = 'platenote-guest-language'
const DEVICE_KEY = 'platenote-guest-device'
const DEVICE_BYTES = 18
const QUARTER_MS = 15 * MINUTE_MS
/** The shortest time that is worth announcing. */
const SOONEST_MS = 8 * MINUTE_MS
const POLL_INTERVAL_MS = 4_000

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
  const format = new Intl.DateTimeFormat(`${find('main')!.lang}-u-nu-latn`, { hour: 'numeric', minute: '2-digit' })
  const first = Math.ceil((now() + SOONEST_MS) / QUARTER_MS) * QUARTER_MS
  for (const [i, choice] of [...box.querySelectorAll('input')].entries()) {
    const at = new Date(first + i * QUARTER_MS)
    const pad = (part: number) => String(part).padStart(2, '0')
    choice.value = `until_${pad(at.getHours())}${pad(at.getMinutes())}`
    choice.checked = choice.value === chosenUntil
    choice.disabled = false
    choice.nextElementSibling!.textContent = box.dataset['until']!.replace('{time}', format.format(at))
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

/** Asks what became of the message, now and every few seconds while the page is visible, until it is answered. */
async function poll() {
  clearTimeout(timer)
  const form = receiptForm()
  const state = find('[data-receipt-state]')?.dataset['receiptState']
  if (!form || document.hidden || (state !== '' && state !== 'left')) return
  try {
    if (state === '') return showPage(await ask(form))
    const response = await fetch(`/api/receipts/${receiptInput().value}`)
    const receipt: Receipt = await response.json()
    showFailure('')
    if (response.status === 404 || receipt.state === 'answered') return await update(form)
    if (response.ok) offerPush(receipt.push_key)
  } catch {
    showFailure(form.dataset['network']!, false)
  }
  timer = setTimeout(() => void poll(), POLL_INTERVAL_MS)
}

/** Shows what has changed within the live region, so that it is announced and the focus stays. */
async function update(form: HTMLFormElement) {
  const { page } = await ask(form)
  document.title = page.title
  const [live, changed] = [find('[data-receipt-state]')!, page.querySelector<HTMLElement>('[data-receipt-state]')!]
  live.dataset['receiptState'] = changed.dataset['receiptState']!
  live.replaceChildren(...changed.childNodes)
  find('[data-register]')!.replaceWith(page.querySelector('[data-register]')!)
  find('[data-push]')!.hidden = true
  startPage()
}

/** Follows a message: one that was just left, or that of the address. */
function followReceipt() {
  const form = receiptForm()
  if (!form) return
  const input = receiptInput()
  if (input.value === '') input.value = /^#([\w-]+)$/.exec(location.hash)?.[1] ?? ''
  else if (location.hash !== `#${input.value}`) history.replaceState(null, '', `${actionOf(form)}#${input.value}`)
  void poll()
}

/** Offers a notification of the answer on this phone; the code for it is loaded with the first tap. */
function offerPush(publicKey: string | null) {
  const box = find('[data-push]')!
  if (publicKey === null || !isPushSupported() || !box.hidden) return
  box.hidden = false
  const [button, status] = [box.querySelector('button')!, box.querySelector('p')!]
  const tell = async () => {
    button.setAttribute('aria-disabled', 'true')
    const state = await subscribe(receiptInput().value, publicKey).catch(() => 'failed')
    button.removeAttribute('aria-disabled')
    button.hidden = state === 'on'
    status.textContent = status.dataset[state] ?? ''
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
addEventListener('hashchange', () => {
  const state = find('[data-receipt-state]')
  if (!state) return
  state.dataset['receiptState'] = ''
  receiptInput().value = ''
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
  loadPage(getStoredUser() === null ? actionOf(form) : form.dataset['newVehicle']!)
})

export const guestForms: PlainFormHooks = {
  headers: (form): Record<string, string> => (form.matches('[data-guest]') ? { [DEVICE_HEADER]: guestDevice() } : {}),
  onPage() {
    offerUntil()
    startLanguage()
    followReceipt()
  },
}
