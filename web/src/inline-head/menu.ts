import { MENU } from '~/lib/page/inline-head-attributes'
import { closest } from './closest.ts'

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
