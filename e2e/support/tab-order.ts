import type { Locator, Page } from '@playwright/test'
import { expect } from './fixtures.ts'

/** More than any page has: after so many the order goes in circles. */
const MAX_TAB_STOPS = 250
/** The minimum width of a focus ring in CSS pixels, and how many elements up it may be drawn, as around a whole card. */
const FOCUS_RING = { ringMin: 2, ringWithin: 4 }

/** An element that has the focus. */
type FocusStop = {
  /** Its index among all controls of the page; -1: it is none of them; null: the focus has left the page. */
  index: number | null
  name: string
  /** What is wrong with how it is shown; null: it has a ring, and part of it is visible. */
  problem: string | null
}

declare global {
  interface Window {
    /** Everything the keyboard must reach, in the order of the page. */
    controls: Element[]
  }
}

/**
 * Goes through the whole page by Tab alone, from its beginning.
 *
 * @returns what is wrong, one line each: a control that is not reached, out of order, without a visible focus ring, or
 * hidden behind something (WCAG 2.1.1, 2.4.3, 2.4.7, 2.4.11)
 */
export async function auditTabOrder(page: Page, where: string): Promise<string[]> {
  await page.evaluate(startAtBeginning)
  const names = await page.evaluate(listControls)
  expect(names.length, where).toBeGreaterThan(0)
  const problems: string[] = []
  const reached: number[] = []
  for (let stops = 0; stops < MAX_TAB_STOPS; stops++) {
    await page.keyboard.press('Tab')
    const { index, name, problem } = await page.evaluate(readFocus, FOCUS_RING)
    if (index !== null && index !== -1 && index === reached.at(-1)) continue // a field of a time has a stop for each part
    if (index === null || reached.includes(index)) break
    if (problem) problems.push(`${where}: ${name} ${problem}`)
    if (index === -1) problems.push(`${where}: ${name} takes the focus and is no control`)
    else if (index < (reached.at(-1) ?? -1)) problems.push(`${where}: ${name} comes out of order`)
    if (index !== -1) reached.push(index)
  }
  names.forEach((name, index) => {
    if (!reached.includes(index)) problems.push(`${where}: ${name} is not reached`)
  })
  return problems
}

/** Runs in the page: a heading may have taken the focus. */
function startAtBeginning() {
  document.body.tabIndex = -1
  document.body.focus({ preventScroll: true })
  document.body.removeAttribute('tabindex')
}

/** Presses Tab until the element has the focus, and expects every stop on the way to be visible. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') {
  for (let stops = 0; stops < MAX_TAB_STOPS; stops++) {
    await page.keyboard.press(key)
    const { name, problem } = await page.evaluate(readFocus, FOCUS_RING)
    expect(problem, name).toBeNull()
    if (await target.evaluate((element) => element === document.activeElement)) return
  }
  throw new Error(`${MAX_TAB_STOPS} times ${key} did not lead to ${String(target)}`)
}

/** Runs in the page. */
function listControls(): string[] {
  const candidates = document.querySelectorAll(
    'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]',
  )
  /** Tab stops once in a group of radio buttons; the arrow keys move inside it. */
  const isPassedOver = (one: Element) => {
    if (!(one instanceof HTMLInputElement) || one.type !== 'radio' || one.name === '') return false
    const group = [...document.querySelectorAll<HTMLInputElement>(`input[type=radio][name="${one.name}"]`)]
    return one !== (group.find(({ checked }) => checked) ?? group[0])
  }
  window.controls = [...candidates].filter(
    (one) =>
      one.checkVisibility({ visibilityProperty: true }) &&
      !one.matches(':disabled, [tabindex="-1"], [inert] *') &&
      !isPassedOver(one),
  )
  return window.controls.map((one) => {
    const label = one.id ? document.querySelector(`label[for="${one.id}"]`) : null
    return `${one.localName} '${(label ?? one).textContent.trim().slice(0, 40)}'`
  })
}

/** Runs in the page. */
function readFocus({ ringMin, ringWithin }: typeof FOCUS_RING): FocusStop {
  const focused = document.activeElement
  if (!focused || focused === document.body) return { index: null, name: 'the page', problem: null }
  const label = focused.id ? document.querySelector(`label[for="${focused.id}"]`) : null
  const name = `${focused.localName} '${(label ?? focused).textContent.trim().slice(0, 40)}'`
  const index = (window.controls ?? []).indexOf(focused)
  let ring: Element | null = focused
  for (let level = 0; ring && level <= ringWithin; level++) {
    const { outlineStyle, outlineWidth } = getComputedStyle(ring)
    if (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= ringMin) break
    ring = level < ringWithin ? ring.parentElement : null
  }
  if (!ring) return { index, name, problem: 'has no focus ring' }
  const { left, top, width, height } = focused.getBoundingClientRect()
  const parts = [0.05, 0.5, 0.95]
  const visible = parts.some((across) =>
    parts.some((down) => {
      const at = document.elementFromPoint(left + width * across, top + height * down)
      return at !== null && (focused.contains(at) || label?.contains(at))
    }),
  )
  return { index, name, problem: visible ? null : 'is not visible' }
}
