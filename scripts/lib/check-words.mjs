import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Reads the words that the glossary of texts rejects: patterns by language, and the texts that may have them all the same. */
export function readGlossary(file) {
  const glossary = { en: [], 'fr-CA': [], fixed: new Set() }
  let section = null
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const title = /^## (?<title>.+)$/.exec(line)?.groups.title
    if (title) section = { English: 'en', French: 'fr-CA', 'Fixed by the requirements': 'fixed' }[title] ?? null
    const quoted = (text) => [...text.matchAll(/`([^`]+)`/g)].map(([, word]) => word)
    if (section === 'fixed' && line.startsWith('- ')) for (const text of quoted(line)) glossary.fixed.add(text)
    const [, write, not] = line.split('|')
    if (Array.isArray(glossary[section]) && not) {
      for (const word of quoted(not)) glossary[section].push({ word, pattern: toPattern(word), write: write.trim() })
    }
  }
  return glossary
}

/** Matches whole words, with any white space between them; `*` stands for any ending. */
function toPattern(word) {
  const source = word
    .replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll('’', "[’']")
    .replaceAll('*', '\\p{L}*')
    .replaceAll(' ', '\\s+')
  return new RegExp(`(?<![\\p{L}-])${source}(?![\\p{L}])`, 'iu')
}

const MONTHS = 'janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre'
const FRENCH_SPACES = [
  [/ [:»%]|« /, 'a no-break space beside its colon, guillemet or per cent'],
  [/\d (?=\d{3}\b)|\d (?=h\b)|\bh (?=\d)|\d (?=(?:Mo|Go|min|\$)(?!\p{L}))/u, 'a no-break space in its number'],
]

/** A time of day in any other form than the one of its language; hours of a field or a protocol are no times of a text. */
const TIMES = {
  en: [/(?<![\dT:])\d{1,2}:\d{2}(?!:|\s[AP]M)|\d ?[ap]\.?m\b/, '11:59 PM'],
  'fr-CA': [/(?<![\dT:])\d{1,2}:\d{2}(?!:)|\dh(?!\p{L})|\d\s[ap]\.?m\b/iu, '15 h 05'],
}
const SPACED_PLATE = /(?<![\p{L}-])[A-Z]{2,4}[ \u00a0-]\d{2,4}(?![\d.])/u

/**
 * Returns what is wrong with one text: words the glossary rejects, a time or a plate in another form than that of the product, straight apostrophes and quotation marks, and in French
 * spaces at which a line may break. Pages of text get their no-break spaces when they are rendered.
 */
export function findErrors(text, language, glossary, { spacedLater = false } = {}) {
  const errors = []
  if (/['"]/.test(text)) errors.push('needs typographic apostrophes and quotation marks')
  if (language === 'fr-CA') {
    if (!spacedLater) for (const [pattern, what] of FRENCH_SPACES) if (pattern.test(text)) errors.push(`needs ${what}`)
    if (/\s[;!?]/.test(text)) errors.push('has a space before ; ! or ?')
    if (new RegExp(`(?<!\\d)1 (${MONTHS})`).test(text)) errors.push('needs 1er for the first of a month')
  }
  const [otherTime, time] = TIMES[language]
  if (otherTime.test(text)) errors.push(`needs its time in the one form, ${time}`)
  if (SPACED_PLATE.test(text)) errors.push('needs its plate without a space')
  const words = text.replaceAll(/\{\w*\}/g, '…')
  if (!glossary.fixed.has(text))
    for (const { word, pattern, write } of glossary[language])
      if (pattern.test(words)) errors.push(`says “${word}”; the glossary has: ${write}`)
  return errors
}

/** Checks the words of all texts: of the catalogue, the pages of text and those for guests. */
export function checkWords(root, locales) {
  const glossary = readGlossary(join(root, 'docs/glossary.md'))
  const problems = []
  let count = 0
  const check = (where, text, language, options) => {
    count++
    for (const error of findErrors(text, language, glossary, options)) problems.push(`${where} (${language}) ${error}`)
  }

  for (const language of locales) {
    for (const file of globSync(`locales/${language}/*.json`, { cwd: root }).sort()) {
      for (const [key, text] of Object.entries(JSON.parse(readFileSync(join(root, file), 'utf8')))) {
        if (key === '$schema') continue
        if (typeof text === 'string') check(key, text, language)
        else problems.push(...checkForms(key, text, language, (form) => check(key, form, language)))
      }
    }
    for (const file of globSync(`locales/legal/${language}/*.json`, { cwd: root }).sort()) {
      const page = JSON.parse(readFileSync(join(root, file), 'utf8'))
      for (const text of listStrings(page)) check(file, text, language, { spacedLater: true })
    }
    const guest = `locales/guest/${language.slice(0, 2)}.json`
    for (const text of listStrings(JSON.parse(readFileSync(join(root, guest), 'utf8')))) check(guest, text, language)
  }
  return { problems, count }
}

const listStrings = (value) => (typeof value === 'string' ? [value] : Object.values(value).flatMap(listStrings))

/** Checks that a text with plural forms has every form of its language; hands each form to `check`. */
function checkForms(key, variants, language, check) {
  const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories
  return variants.flatMap(({ match, declarations = [] }) => {
    for (const form of Object.values(match)) check(form)
    const plurals = declarations.filter((line) => line.endsWith(': plural')).map((line) => line.split(/[ =]+/)[1])
    const names = Object.keys(match)
    return plurals.flatMap((name) =>
      categories
        .filter((category) => !names.some((form) => form.includes(`${name}=${category}`) || form.includes(`${name}=*`)))
        .map((category) => `${key} (${language}) has no form for “${category}”`),
    )
  })
}
