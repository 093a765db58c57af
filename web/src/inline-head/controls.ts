import { MENU, PRESSED, SUBMIT, THEME, THEME_SWITCH } from '~/lib/page/inline-head-attributes'
import { browserStore } from '~/lib/page/storage'

/* What the controls of a page do before its scripts have loaded, or without them. */

/** Returns the element an event happened in that matches a selector. */
export const closest = ({ target }: Event, selector: string) => (target as Element).closest<HTMLElement>(selector)

const THEME_KEY = 'theme'

/** Applies the theme the visitor chose, and switches it when the button is pressed. */
export function applyTheme() {
  const page = document.documentElement
  const systemTheme = matchMedia('(prefers-color-scheme: dark)')
  const stored = browserStore.getItem(THEME_KEY)
  if (stored === 'light' || stored === 'dark') page.setAttribute(THEME, stored)
  document.addEventListener('click', (event) => {
    if (!closest(event, `[${THEME_SWITCH}]`)) return
    const system = systemTheme.matches ? 'dark' : 'light'
    const chosen = (page.getAttribute(THEME) ?? system) === 'dark' ? 'light' : 'dark'
    // back to what the system says: follow it again from now on
    const override = chosen === system ? null : chosen
    if (override) {
      browserStore.setItem(THEME_KEY, override)
      page.setAttribute(THEME, override)
    } else {
      browserStore.removeItem(THEME_KEY)
      page.removeAttribute(THEME)
    }
  })
}

const openMenu = () => document.querySelector<HTMLDetailsElement>(`[${MENU}][open]`)

/** Closes the header's menu when the visitor follows a link in it, goes to anything outside it, or presses Escape. */
export function closeMenuOnLeave() {
  const closeOnLeave = (event: Event) => {
    const menu = openMenu()
    const outside = !menu?.contains(event.target as Node)
    if (menu && (outside || (event.type === 'click' && closest(event, 'a')))) menu.open = false
  }
  for (const type of ['pointerdown', 'focusin', 'click']) document.addEventListener(type, closeOnLeave)
  document.addEventListener('keydown', ({ key }) => {
    const menu = key === 'Escape' && openMenu()
    if (!menu) return
    menu.open = false
    menu.querySelector('summary')?.focus()
  })
}

/**
 * Keeps the browser from submitting a form before its scripts run, so that no password and no address is sent in a plain
 * request. The attempt is noted on the form, and auth/AuthForm.tsx submits it after hydration.
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

/**
 * Does what auth/sign-in-pages.tsx does, until the page is hydrated: marks `<html>` where somebody wants to send a message, and
 * takes along what is wanted when a link to another page of signing in is followed.
 */
export function keepWantedPage() {
  const { search } = location
  if (!search.startsWith('?next=')) return
  if (search.startsWith('?next=%2Fsend')) document.documentElement.classList.add('to-send')
  document.addEventListener('click', (event) => {
    const link = closest(event, 'a') as HTMLAnchorElement | null
    if (link && /\/(login|signup|forgot-password)$/.test(link.href)) link.search = search
  })
}

/**
 * Does for the questions of the landing page what Firefox does itself only since version 130: of `details` that share a name
 * one stays open, and a link to an answer opens it.
 */
export function openLinkedQuestions() {
  if (!('name' in HTMLDetailsElement.prototype))
    document.addEventListener(
      'toggle',
      ({ target }) => {
        const opened = target as HTMLDetailsElement
        const name = opened.open && opened.getAttribute('name')
        if (!name) return
        for (const other of document.querySelectorAll<HTMLDetailsElement>(`details[name=${name}]`))
          if (other !== opened) other.open = false
      },
      true, // it does not bubble
    )
  const open = () => {
    const answer = location.hash && document.getElementById(location.hash.slice(1))
    const question = answer ? answer.closest('details') : null
    if (!answer || !question || question.open) return
    question.open = true
    answer.scrollIntoView()
  }
  document.addEventListener('DOMContentLoaded', open)
  addEventListener('hashchange', open)
}
