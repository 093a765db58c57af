import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { Locale } from '#contract/product.ts'

const LOCALES_FOLDER = join(import.meta.dirname, '../../locales')

/** Loads every text of the screens in a language that has no plural forms, by its key. */
function loadTexts(locale: Locale): Record<string, string> {
  const files = globSync(`${locale}/*.json`, { cwd: LOCALES_FOLDER })
  const entries = files.flatMap((file) => Object.entries(JSON.parse(readFileSync(join(LOCALES_FOLDER, file), 'utf8'))))
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}
const TEXTS = { en: loadTexts('en'), 'fr-CA': loadTexts('fr-CA') }

/**
 * Returns a look-up of the texts of a language by their keys, for tests in French, and for what the requirements describe without
 * giving the words.
 */
export function textsOf(locale: Locale): (key: string, values?: Record<string, string>) => string {
  return (key, values = {}) => {
    const text = TEXTS[locale][key]
    if (text === undefined) throw new Error(`no text ${key} in ${locale}`)
    return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? `{${name}}`)
  }
}

/** What every page shows in English on purpose: the names of the languages, the offer of the other one, and the sheet of a note. */
const IN_BOTH_LANGUAGES = /^(?:language_(?:name|label|offer)|note_paper_(?:title|plate))$/
/** Shorter than this, a text may be the same word in both languages, or part of one. */
const LEAST_LETTERS = 6
/** Matches the English texts of screens and refusals, between their placeholders, that occur in no French one. */
const ENGLISH_WORDS = (() => {
  const french = Object.values(TEXTS['fr-CA']).join('\n')
  const pieces = Object.entries(TEXTS.en)
    .filter(([key]) => !IN_BOTH_LANGUAGES.test(key))
    .flatMap(([, text]) => text.split(/\{[^}]*\}/))
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
