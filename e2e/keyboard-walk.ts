import type { Locator, Page } from '@playwright/test'
import { expect } from './fixtures.ts'

/** More than any page has: a walk that comes here goes in circles. */
const MOST_STOPS = 250
/** A focus ring: its width in CSS pixels, and how many elements up it may be drawn, as around a whole plate or card. */
const RING = { ringMin: 2, ringWithin: 4 }

/** Where the keyboard is. */
type Stop = {
  /** Its place among all controls of the page; -1: it is none of them; null: the page has been left. */
  place: number | null
  name: string
  /** What is wrong with how it is shown; null: it has a ring, and something of it is in sight. */
  fault: string | null
}

declare global {
  interface Window {
    /** All that the keyboard must reach, in the order of the page. */
    controls: Element[]
  }
}

/**
 * Goes through the whole page by Tab alone, from its beginning.
 *
 * @returns what is wrong, one line each: a control that is not reached, out of order, without a visible focus ring, or
 * hidden behind something (WCAG 2.1.1, 2.4.3, 2.4.7, 2.4.11)
 */
export async function walk(page: Page, where: string): Promise<string[]> {
  const names = await page.evaluate(listControls)
  expect(names.length, where).toBeGreaterThan(0)
  const wrong: string[] = []
  const reached: number[] = []
  for (let stops = 0; stops < MOST_STOPS; stops++) {
    await page.keyboard.press('Tab')
    const { place, name, fault } = await page.evaluate(readStop, RING)
    if (place === null || reached.includes(place)) break
    if (fault) wrong.push(`${where}: ${name} ${fault}`)
    if (place === -1) wrong.push(`${where}: ${name} takes the focus and is no control`)
    else if (place < (reached.at(-1) ?? -1)) wrong.push(`${where}: ${name} comes out of order`)
    if (place !== -1) reached.push(place)
  }
  names.forEach((name, place) => {
    if (!reached.includes(place)) wrong.push(`${where}: ${name} is not reached`)
  })
  return wrong
}

/** Presses Tab until the focus is there, and asks of every stop on the way that it can be seen. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') {
  for (let stops = 0; stops < MOST_STOPS; stops++) {
    await page.keyboard.press(key)
    const { name, fault } = await page.evaluate(readStop, RING)
    expect(fault, name).toBeNull()
    if (await target.evaluate((element) => element === document.activeElement)) return
  }
  throw new Error(`${MOST_STOPS} times ${key} did not lead to ${String(target)}`)
}

/** Runs in the page. */
function listControls(): string[] {
  const candidates = document.querySelectorAll(
    'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]',
  )
  window.controls = [...candidates].filter(
    (one) => one.checkVisibility({ visibilityProperty: true }) && !one.matches(':disabled, [tabindex="-1"], [inert] *'),
  )
  return window.controls.map((one) => {
    const label = one.id ? document.querySelector(`label[for="${one.id}"]`) : null
    return `${one.localName} '${(label ?? one).textContent.trim().slice(0, 40)}'`
  })
}

/** Runs in the page. */
function readStop({ ringMin, ringWithin }: typeof RING): Stop {
  const stop = document.activeElement
  if (!stop || stop === document.body) return { place: null, name: 'the page', fault: null }
  const label = stop.id ? document.querySelector(`label[for="${stop.id}"]`) : null
  const name = `${stop.localName} '${(label ?? stop).textContent.trim().slice(0, 40)}'`
  const place = (window.controls ?? []).indexOf(stop)
  let ring: Element | null = stop
  for (let level = 0; ring && level <= ringWithin; level++) {
    const { outlineStyle, outlineWidth } = getComputedStyle(ring)
    if (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= ringMin) break
    ring = level < ringWithin ? ring.parentElement : null
  }
  if (!ring) return { place, name, fault: 'has no focus ring' }
  const { left, top, width, height } = stop.getBoundingClientRect()
  const parts = [0.05, 0.5, 0.95]
  const inSight = parts.some((across) =>
    parts.some((down) => {
      const at = document.elementFromPoint(left + width * across, top + height * down)
      return at !== null && (stop.contains(at) || label?.contains(at))
    }),
  )
  return { place, name, fault: inSight ? null : 'is out of sight' }
}
