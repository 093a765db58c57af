import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseSync } from 'vite'

const PATTERN = 'plugin.inlang.messageFormat'

/** What stands in texts and is no word: a browser that translates the page has to leave it as it is (decision translated-pages). */
const KEPT =
  'address browser code current email error example host losers name next owner plate response subject system vehicle who winner'
/** Words, numbers and times; of `product` the JSX of the web app takes care. */
const TRANSLATED =
  'active age character city count date document first free info kind last link max maximum met min minimum n number percent place privacy ' +
  'product province quebec reason sections size terms text time total used values waiting when'
const [kept, translated] = [KEPT, TRANSLATED].map((names) => new Set(names.split(' ')))

/** Texts that a table or a property holds, and whoever shows one marks its value. */
const SHOWN_ELSEWHERE =
  /^(?:notification_\w+|health_warning_\w+|vehicles_(?:delete|sold|withdraw)_title|verify_(?:switch_(?:continue|stay)|sign_in_title))$/
/** Services whose names are words, such as 'City Hall of Brampton'. */
const NAMED_IN_WORDS = /^call_(?:police|city)$/
/** What marks a value, makes a text of a mail, or a name to be stored. */
const MARKING = ['verbatim', 'supportMailto', 'unusedName']
/** Attributes are not translated. */
const isAttribute = ({ type, name }) => type === 'JSXAttribute' && /^(?:aria-label|alt|data-sent-to)$/.test(name.name)

/** Finds texts in which a browser would translate a plate, a code, a name or an address. Returns where, and parameters nobody has sorted. */
export function checkKept(root) {
  const folder = join(root, 'locales/en')
  const { [PATTERN]: settings } = JSON.parse(readFileSync(join(root, 'locales/web.inlang/settings.json'), 'utf8'))
  const keys = new Set()
  const problems = []
  for (const path of settings.pathPattern)
    for (const [key, text] of Object.entries(JSON.parse(readFileSync(join(folder, basename(path)), 'utf8'))))
      for (const [, name] of JSON.stringify(text).matchAll(/\{(\w+)\}/g)) {
        if (kept.has(name) && !SHOWN_ELSEWHERE.test(key) && !NAMED_IN_WORDS.test(key)) keys.add(key)
        else if (!kept.has(name) && !translated.has(name))
          problems.push(`${key}: is {${name}} translated with a page? scripts/lib/check-kept.mjs says so of each`)
      }
  const files = globSync('web/src/**/*.{ts,tsx}', {
    cwd: root,
    exclude: (name) => /^paraglide$|\.test\.ts$/.test(name),
  })
  for (const file of files) problems.push(...findUnmarked(file, readFileSync(join(root, file), 'utf8'), keys))
  return problems.sort()
}

/** Returns where a source shows one of these texts and does not mark its values. */
function findUnmarked(file, source, keys) {
  const problems = []
  const isMarked = (node) => isAttribute(node) || (node.type === 'CallExpression' && MARKING.includes(node.callee.name))
  function visit(node) {
    if (Array.isArray(node)) for (const one of node) visit(one)
    if (node === null || typeof node !== 'object' || typeof node.type !== 'string' || isMarked(node)) return
    const { object, property } = node
    if (node.type === 'MemberExpression' && object.name === 'm' && keys.has(property.name))
      problems.push(
        `${file}:${source.slice(0, node.start).split('\n').length} m.${property.name} goes through verbatim(), which keeps its values`,
      )
    for (const child of Object.values(node)) visit(child)
  }
  visit(parseSync(file, source).program)
  return problems
}
