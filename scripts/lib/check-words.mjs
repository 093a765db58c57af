import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'

/** The constants whose texts people read, with the language of a name that holds only one. */
const LANGUAGE_OF_NAME = { en: 'en', EN: 'en', 'fr-CA': 'fr-CA', FR: 'fr-CA' }
const OTHER_LANGUAGE = { en: 'fr-CA', 'fr-CA': 'en' }
/** Sources with texts; the seed and the commands of the server write for the team. */
const SOURCES = ['contract/src/**/*.ts', 'server/src/**/*.ts']
const NOT_TEXTS = /\.test\.ts$|^server\/src\/(seed|cli|test|postgres)\//

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
    if (section in OTHER_LANGUAGE && not) {
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

/**
 * Returns what is wrong with one text: words the glossary rejects, straight apostrophes and quotation marks, and in French
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
  const words = text.replaceAll(/\{\w*\}/g, '…')
  if (!glossary.fixed.has(text))
    for (const { word, pattern, write } of glossary[language])
      if (pattern.test(words)) errors.push(`says “${word}”; the glossary has: ${write}`)
  return errors
}

/**
 * Collects the texts of a source by language: the strings under `en` and `'fr-CA'`, or in a constant `EN` or `FR`, and in files of
 * emails also those under neither, which are in English. Also returns where a language has no counterpart.
 */
export function collectSourceTexts(file, source) {
  const texts = []
  const problems = []
  const isMail = /(^|\/)(emails|email-texts|[\w-]+-mail)\.ts$/.test(file)
  const lineOf = (node) => source.slice(0, node.start).split('\n').length
  const add = (node, text, language) => {
    const own = language ?? (isMail && /\p{L} \p{L}/u.test(text) ? 'en' : null)
    if (own) texts.push({ where: `${file}:${lineOf(node)}`, language: own, text })
  }

  function visit(node, language) {
    if (Array.isArray(node)) for (const one of node) visit(one, language)
    if (node === null || typeof node !== 'object' || typeof node.type !== 'string') return
    if (node.type.startsWith('TSType') || node.type === 'ImportDeclaration') return
    if (node.type === 'Literal' && typeof node.value === 'string') add(node, node.value, language)
    if (node.type === 'TemplateLiteral')
      add(node, node.quasis.map(({ value }) => value.cooked ?? value.raw).join('{}'), language)
    if (node.type === 'ObjectExpression') findLonelyLanguage(node)
    for (const [name, child] of Object.entries(node)) {
      const isName = name === 'key' || name === 'id' || (name === 'property' && !node.computed)
      if (!isName && name !== 'typeAnnotation') visit(child, languageOf(node, name) ?? language)
    }
  }

  function findLonelyLanguage({ properties }) {
    const named = properties.filter(({ type }) => type === 'Property')
    const names = named.map(nameOf)
    for (const property of named) {
      const other = OTHER_LANGUAGE[nameOf(property)]
      const isText = ['Literal', 'TemplateLiteral', 'ArrowFunctionExpression'].includes(property.value.type)
      if (other && isText && !names.includes(other))
        problems.push(`${file}:${lineOf(property)} has no text in ${other}`)
    }
  }

  visit(parseSync(file, source).program, null)
  return { texts, problems }
}

const nameOf = ({ key, id }) => key?.name ?? key?.value ?? id?.name
const languageOf = (node, child) =>
  (node.type === 'Property' && child === 'value') || (node.type === 'VariableDeclarator' && child === 'init')
    ? LANGUAGE_OF_NAME[nameOf(node)]
    : undefined

/** Checks the words of all texts: of the screens, the pages of text, the emails and the refusals. */
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
    for (const file of globSync(`web/src/*/content/${language}/*.ts`, { cwd: root }).sort()) {
      const { texts } = collectSourceTexts(file, `const ${language === 'en' ? 'EN' : 'FR'} = [${read(root, file)}]`)
      for (const { where, text } of texts) check(where, text, language, { spacedLater: true })
    }
  }
  for (const file of SOURCES.flatMap((pattern) => globSync(pattern, { cwd: root })).sort()) {
    if (NOT_TEXTS.test(file) || !existsSync(join(root, file))) continue
    const found = collectSourceTexts(file, readFileSync(join(root, file), 'utf8'))
    problems.push(...found.problems)
    for (const { where, text, language } of found.texts) check(where, text, language)
  }
  return { problems, count }
}

/** Returns the one object a page of text exports, as an expression. */
const read = (root, file) =>
  readFileSync(join(root, file), 'utf8')
    .replaceAll(/^import .*$/gm, '')
    .replace(/export const \w+(?:: [^=]+)? = /, '')
    .replace(/(?: as const)?(?: satisfies [^\n]+)?\s*$/, '')

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
