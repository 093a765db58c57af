import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { CONTACT_SUBJECTS, contactSubjectName } from '#contract/contact-subjects.ts'
import { ERRORS } from '#contract/errors.ts'
import { LIMIT_TEXTS } from '#contract/limit-texts.ts'
import { PROVINCES, provinceName } from '#contract/provinces.ts'
import { FIELD_TEXTS } from '../../server/src/http/field-texts.ts'
import { privacy } from '../../web/src/legal/content/en/privacy.ts'
import { terms } from '../../web/src/legal/content/en/terms.ts'
import { privacy as confidentialite } from '../../web/src/legal/content/fr-CA/privacy.ts'
import { terms as conditions } from '../../web/src/legal/content/fr-CA/terms.ts'

// The texts of the requirements as patterns, and their translations in the product.

export type TextValues = Record<string, string>

const TRANSLATIONS_FOLDER = join(import.meta.dirname, '../../web/locales')

/** Makes typography equal here: the requirements have straight apostrophes, the product typographic ones, and spaces that do not break. */
const withoutTypography = (text: string) => text.replaceAll('’', "'").replaceAll(/\s+/g, ' ')
// escaped, because Playwright takes a quote within the pattern of a role's name for the beginning of a text
const EITHER_APOSTROPHE = '[\\x27\\u2019]'

type Pair = readonly [english: string, french: string]

const titles = (text: { title: string; sections: Record<string, { title: string }> }) => [
  text.title,
  ...Object.values(text.sections).map(({ title }) => title),
]
/** Returns every text of a value, however deep it lies. */
const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : []
/** Pairs the texts of a value with those at the same place of its translation. */
const pairs = (english: object, french: object): Pair[] => {
  const translations = textsIn(french)
  return textsIn(english).map((text, i) => [text, translations[i] ?? ''])
}

/** Loads every text of the screens that has no plural forms, by its key. */
function loadTranslations(): Map<string, Pair> {
  const found = new Map<string, Pair>()
  for (const file of readdirSync(join(TRANSLATIONS_FOLDER, 'en'))) {
    const [english, french] = ['en', 'fr-CA'].map(
      (locale) => JSON.parse(readFileSync(join(TRANSLATIONS_FOLDER, locale, file), 'utf8')) as Record<string, unknown>,
    )
    for (const [key, text] of Object.entries(english ?? {})) {
      const translation = french?.[key]
      if (typeof text === 'string' && typeof translation === 'string') found.set(key, [text, translation])
    }
  }
  return found
}
const TRANSLATIONS = loadTranslations()

/** English text → its translations; the same word may be translated in several ways. */
const FRENCH_BY_ENGLISH = new Map<string, Set<string>>()
for (const [english, french] of [
  ...TRANSLATIONS.values(),
  ...Object.values(ERRORS).map((texts): Pair => [texts.en, texts['fr-CA']]),
  ...Object.entries(FIELD_TEXTS['fr-CA']),
  ...PROVINCES.map((province): Pair => [province, provinceName(province, 'fr-CA')]),
  ...CONTACT_SUBJECTS.map((name): Pair => [contactSubjectName(name, 'en'), contactSubjectName(name, 'fr-CA')]),
  ...pairs(terms, conditions),
  ...pairs(privacy, confidentialite),
]) {
  FRENCH_BY_ENGLISH.set(
    withoutTypography(english),
    (FRENCH_BY_ENGLISH.get(withoutTypography(english)) ?? new Set()).add(french),
  )
}

/** Shorter than this, a text may be the same word in both languages, or part of one. */
const LEAST_LETTERS = 6
/** Matches the English texts of screens and refusals, between their placeholders, that occur in no French one. */
const ENGLISH_WORDS = (() => {
  const refusals = [...Object.values(ERRORS), ...Object.values(LIMIT_TEXTS)].map(
    (texts): Pair => [texts.en, texts['fr-CA']],
  )
  const texts = [...TRANSLATIONS.values(), ...refusals, ...Object.entries(FIELD_TEXTS['fr-CA'])]
  const french = texts.map(([, translation]) => translation).join('\n')
  const pieces = texts
    .flatMap(([english]) => english.split(/\{[^}]*\}/))
    .map((piece) => piece.trim().replace(/[.:…]$/, ''))
    .filter((piece) => piece.length >= LEAST_LETTERS && !french.includes(piece))
  if (pieces.length < 300) throw new Error('most English texts are not found')
  const escaped = [...new Set(pieces)].map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${escaped.join('|')})(?![\\p{L}\\p{N}])`, 'u')
})()

/** Runs in the page: returns every text it shows, or says to a screen reader. */
function readTexts(): string[] {
  const labelled = [...document.querySelectorAll('[aria-label], [placeholder], [title], [alt]')]
  const labels = labelled
    .filter((element) => !element.closest('[data-language-offer]')) // hidden, and in the other language on purpose
    .flatMap((element) => ['aria-label', 'placeholder', 'title', 'alt'].map((name) => element.getAttribute(name) ?? ''))
  return [document.title, ...document.body.innerText.split('\n'), ...labels]
}

/** Returns what a French page shows, or says to a screen reader, that is an English text of the product. */
export async function englishTexts(page: Page): Promise<string[]> {
  return (await page.evaluate(readTexts)).filter((text) => ENGLISH_WORDS.test(text))
}

/**
 * Returns the English texts of these keys, for what the requirements describe without giving the words. Throws when there
 * are none.
 */
export function textsByKey(keys: RegExp): string[] {
  const texts = [...TRANSLATIONS].flatMap(([key, [english]]) => (keys.test(key) ? [english] : []))
  if (texts.length === 0) throw new Error(`no text has a key like ${String(keys)}`)
  return texts
}

/** The titles of a legal page, beginning with its own. */
export const TERMS_TITLES = titles(terms)
export const PRIVACY_TITLES = titles(privacy)

const interpolate = (text: string, values: TextValues) =>
  text.replace(/\{(\w+)\}/g, (hole, name: string) => values[name] ?? hole)

/** Returns a text as part of a pattern: any white space matches a space, and either apostrophe the other. */
const toPatternSource = (text: string) =>
  withoutTypography(text)
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll("'", EITHER_APOSTROPHE)
    .replaceAll(/\s+/g, '\\s+')

/** Returns the pattern of an English text with its placeholders filled in. */
export const englishPattern = (text: string, values: TextValues = {}): string =>
  toPatternSource(interpolate(text, values))

/** Returns the pattern of its translations, with values translated too where they are texts; null when there is none. */
export function frenchPattern(text: string, values: TextValues = {}): string | null {
  const translations = [...(FRENCH_BY_ENGLISH.get(withoutTypography(text)) ?? [])]
  if (translations.length === 0) return null
  const [names, filled] = [Object.keys(values), {} as TextValues]
  for (const name of names)
    filled[name] = [...(FRENCH_BY_ENGLISH.get(withoutTypography(values[name] ?? '')) ?? [])][0] ?? values[name] ?? ''
  return `(?:${translations.map((translation) => toPatternSource(interpolate(translation, filled))).join('|')})`
}

/** Returns whether a translation may equal the English text, like 'Messages'. */
export const canBeSameInFrench = (text: string): boolean =>
  [...(FRENCH_BY_ENGLISH.get(withoutTypography(text)) ?? [])].some(
    (translation) => withoutTypography(translation) === withoutTypography(text),
  )
