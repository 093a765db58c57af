import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONTACT_SUBJECTS, contactSubjectName } from '#contract/contact.ts'
import { ERRORS } from '#contract/errors.ts'
import { PROVINCES, provinceName } from '#contract/provinces.ts'
import { privacy } from '../../web/src/legal/content/en/privacy.ts'
import { terms } from '../../web/src/legal/content/en/terms.ts'
import { privacy as confidentialite } from '../../web/src/legal/content/fr-CA/privacy.ts'
import { terms as conditions } from '../../web/src/legal/content/fr-CA/terms.ts'

// The texts of the specification as patterns, and what the product says for them in French.

export type Values = Record<string, string>

const MESSAGES = join(import.meta.dirname, '../../web/locales')

/** The specification has straight apostrophes, the product typographic ones; here alone they are equal. */
const straight = (text: string) => text.replaceAll('’', "'")
// as escapes: Playwright reads a quote within the pattern of a role's name as the beginning of a text
const EITHER_APOSTROPHE = '[\\x27\\u2019]'

type Pair = readonly [english: string, french: string]

const titles = (text: { title: string; sections: Record<string, { title: string }> }) => [
  text.title,
  ...Object.values(text.sections).map(({ title }) => title),
]
const pairs = (english: string[], french: string[]): Pair[] => english.map((text, i) => [text, french[i] ?? ''])

/** Every text of the screens that has no plural forms, under its key. */
function messages(): Map<string, Pair> {
  const found = new Map<string, Pair>()
  for (const file of readdirSync(join(MESSAGES, 'en'))) {
    const [english, french] = ['en', 'fr-CA'].map(
      (locale) => JSON.parse(readFileSync(join(MESSAGES, locale, file), 'utf8')) as Record<string, unknown>,
    )
    for (const [key, text] of Object.entries(english ?? {})) {
      const translation = french?.[key]
      if (typeof text === 'string' && typeof translation === 'string') found.set(key, [text, translation])
    }
  }
  return found
}
const MESSAGE_PAIRS = messages()

/** English text → its French ones; a word may be said in several ways. */
const FRENCH = new Map<string, Set<string>>()
for (const [english, french] of [
  ...MESSAGE_PAIRS.values(),
  ...Object.values(ERRORS).map(([, english, french]): Pair => [english, french]),
  ...PROVINCES.map((province): Pair => [province, provinceName(province, 'fr-CA')]),
  ...CONTACT_SUBJECTS.map((name): Pair => [contactSubjectName(name, 'en'), contactSubjectName(name, 'fr-CA')]),
  ...pairs(titles(terms), titles(conditions)),
  ...pairs(titles(privacy), titles(confidentialite)),
]) {
  FRENCH.set(straight(english), (FRENCH.get(straight(english)) ?? new Set()).add(french))
}

/**
 * The English texts under these keys, for what the specification describes without giving the words. Throws when there
 * are none.
 */
export function ours(keys: RegExp): string[] {
  const texts = [...MESSAGE_PAIRS].flatMap(([key, [english]]) => (keys.test(key) ? [english] : []))
  if (texts.length === 0) throw new Error(`no text has a key like ${String(keys)}`)
  return texts
}

/** The titles of a legal page, its own first. */
export const TERMS_TITLES = titles(terms)
export const PRIVACY_TITLES = titles(privacy)

const fill = (text: string, values: Values) => text.replace(/\{(\w+)\}/g, (hole, name: string) => values[name] ?? hole)

/** As a part of a pattern: any white space for a space, either apostrophe. */
const source = (text: string) =>
  straight(text)
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll("'", EITHER_APOSTROPHE)
    .replaceAll(/\s+/g, '\\s+')

/** The English words, with their holes filled. */
export const english = (text: string, values: Values = {}): string => source(fill(text, values))

/** The French ones, any of them, with values that are texts in French too. Null: the product says no such thing. */
export function french(text: string, values: Values = {}): string | null {
  const translations = [...(FRENCH.get(straight(text)) ?? [])]
  if (translations.length === 0) return null
  const [names, filled] = [Object.keys(values), {} as Values]
  for (const name of names)
    filled[name] = [...(FRENCH.get(straight(values[name] ?? '')) ?? [])][0] ?? values[name] ?? ''
  return `(?:${translations.map((translation) => source(fill(translation, filled))).join('|')})`
}

/** Whether the French text may be the English one, as with 'Messages'. */
export const isSameInFrench = (text: string): boolean =>
  [...(FRENCH.get(straight(text)) ?? [])].some((translation) => straight(translation) === straight(text))
