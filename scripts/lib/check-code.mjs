import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'

const SOURCES = '{contract,server,web}/src/**/*.{ts,tsx}'
/** Tests and invented data; who shows which page of text; the names of the languages of guests. */
const HAVE_TEXTS =
  /\.test\.ts$|^server\/src\/(?:seed|test)\/|^web\/src\/(?:legal|paraglide)\/|^contract\/src\/guest-languages\.ts$/
/** What depends on the language and is no text: its tags. */
const HAVE_LANGUAGES = ['contract/src/guest-chips.ts', 'contract/src/product.ts', 'web/src/system/format.ts']

/** Letters and marks that are in every French text and every typographic one; what operators and other software read is plain English. */
const FOR_PEOPLE = /(?=.*\p{L}{2})[àâçèéêëîïôùûœÀÂÇÈÉÊËÎÏÔÙÛŒ’“”«»]/u
const WORD = /\p{Ll}{2}/u
const SENTENCE = /^\p{Lu}\p{L}+ \p{L}+ \p{L}+/u
/** What `/openapi.json` says, in English. */
const DOCUMENTED = ['summary', 'description']
/** Attributes that people read or hear. */
const SPOKEN = ['alt', 'aria-label', 'label', 'placeholder', 'title']

/** Finds texts for people in code, which belong into locales (decision two-languages). Returns where they are. */
export function checkCode(root) {
  const files = globSync(SOURCES, { cwd: root }).map((file) => file.replaceAll('\\', '/'))
  return files
    .filter((file) => !HAVE_TEXTS.test(file))
    .flatMap((file) => findTexts(file, readFileSync(join(root, file), 'utf8')))
    .sort()
}

/** Returns where a source has a text for people: a table of both languages, or a sentence. */
export function findTexts(file, source) {
  const problems = []
  const isWeb = file.startsWith('web/')
  const report = (node, what) => problems.push(`${file}:${source.slice(0, node.start).split('\n').length} ${what}`)

  function visit(node, isSpoken) {
    if (Array.isArray(node)) for (const one of node) visit(one, isSpoken)
    if (node === null || typeof node !== 'object' || typeof node.type !== 'string') return
    if (node.type.startsWith('TSType') || node.type === 'ImportDeclaration' || node.type === 'ThrowStatement') return
    if (node.type === 'Property' && DOCUMENTED.includes(node.key.name)) return
    const text = textOf(node)
    const isText =
      FOR_PEOPLE.test(text) ||
      (isWeb &&
        ((node.type === 'JSXText' && WORD.test(text)) ||
          SENTENCE.test(text) ||
          (isSpoken && /\p{Ll}{2} \p{L}/u.test(text))))
    if (isText) report(node, `has a text: ${text.trim().slice(0, 40)}`)
    if (node.type === 'Property' && node.key.value === 'fr-CA' && !HAVE_LANGUAGES.includes(file))
      report(node, 'has a table of languages')
    for (const [name, child] of Object.entries(node))
      if (name !== 'key' || node.computed)
        visit(child, node.type === 'JSXAttribute' ? SPOKEN.includes(node.name.name) : isSpoken)
  }
  visit(parseSync(file, source).program, false)
  return problems
}

function textOf(node) {
  if (node.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.cooked ?? value.raw).join('{}')
  return (node.type === 'Literal' || node.type === 'JSXText') && typeof node.value === 'string' ? node.value : ''
}
