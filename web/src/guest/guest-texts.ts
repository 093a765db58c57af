import type { GuestTexts } from '#contract/guest-texts.ts'
import english from '#guest/en.json'
import french from '#guest/fr.json'
import { getLocale } from '~/lib/i18n/i18n'

/** Whether the server fills in the language (server/src/tags/guest-pages.ts): one built page serves all of them. */
const isFilled = import.meta.env.SSR && import.meta.env.PROD

const toSlot = (...names: string[]) => `%TEXT_${names.join('_').toUpperCase()}%`

const SLOTS = Object.fromEntries(
  Object.entries(english).map(([group, texts]) => [
    group,
    Object.fromEntries(Object.keys(texts).map((name) => [name, toSlot(group, name)])),
  ]),
) as GuestTexts

/** Returns the texts of the pages for people without an account: slots, and in development those of the page's language. */
export const guestTexts = (): GuestTexts => (isFilled ? SLOTS : getLocale() === 'en' ? english : french)

/** Returns a fact about the language: its code here, its tag (BCP 47), its direction, or how paths of pages in it begin. */
export const guestLanguageSlot = (fact: 'language' | 'tag' | 'direction' | 'prefix'): string => {
  const [language, prefix] = getLocale() === 'en' ? ['en', ''] : ['fr', '/fr']
  return isFilled ? toSlot(fact) : { language, tag: getLocale(), direction: 'ltr', prefix }[fact]!
}
