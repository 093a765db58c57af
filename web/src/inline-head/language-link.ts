import { LANGUAGE_SWITCH } from '~/lib/page/inline-head-attributes'
import { closest } from './closest.ts'

/** Adds this address's query and fragment to the language link, which a prerendered page does not know. */
export function keepQueryInLanguageLink() {
  document.addEventListener('click', (event) => {
    const link = closest(event, `[${LANGUAGE_SWITCH}]`) as HTMLAnchorElement | null
    if (!link) return
    link.search = location.search
    link.hash = location.hash
  })
}
