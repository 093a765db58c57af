import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const PATTERN = 'plugin.inlang.messageFormat'
/** The sources that show the texts of each list of files; the contract is part of both sides. */
const SOURCES = { web: '{web,contract}/src/**/*.{ts,tsx}', server: '{server,contract}/src/**/*.ts' }

/**
 * Checks the texts of locales, which sources use as `m.key()`, or on the server as m[`key_${of}`]: that both languages have them, that
 * each side has the texts it uses, and each text is used. Returns the problems and how many texts there are.
 */
export function checkMessages(root) {
  const folder = join(root, 'locales')
  const problems = []
  const sides = Object.entries(SOURCES).map(([side, sources]) => {
    const settings = `${side}.inlang/settings.json`
    const files = JSON.parse(readFileSync(join(folder, settings), 'utf8'))[PATTERN].pathPattern.map((path) =>
      path.replace('./{locale}/', ''),
    )
    return { settings, files, used: readUses(root, sources) }
  })
  const english = textsOf('en')
  const french = textsOf('fr-CA')

  /** Returns the texts of one language by their keys, with the file that has each. */
  function textsOf(locale) {
    const texts = new Map()
    const names = readdirSync(join(folder, locale))
    for (const { settings, files } of sides)
      for (const name of files)
        if (!existsSync(join(folder, locale, name)))
          problems.push(`${locale}/${name} is listed in ${settings} but does not exist`)
    for (const name of names) {
      if (!sides.some(({ files }) => files.includes(name)))
        problems.push(`locales/${locale}/${name} is listed in no settings.json`)
      for (const [key, text] of Object.entries(JSON.parse(readFileSync(join(folder, locale, name), 'utf8')))) {
        if (key === '$schema') continue
        if (texts.has(key)) problems.push(`${locale}: ${key} is in two files`)
        if (text === '') problems.push(`${locale}: ${key} is empty`)
        texts.set(key, { name, text: JSON.stringify(text) })
      }
    }
    return texts
  }

  for (const [key, { text }] of english) {
    if (!french.has(key)) problems.push(`${key} has no French text`)
    else if (placeholders(text) !== placeholders(french.get(key).text)) problems.push(`${key}: the placeholders differ`)
  }
  for (const key of french.keys()) if (!english.has(key)) problems.push(`${key} has no English text`)

  // types say so on the server, but a build of the web app does not look at types
  const [web] = sides
  for (const key of web.used.keys)
    if (!web.files.includes(english.get(key)?.name))
      problems.push(`m.${key} is used in the web app but has no text there`)
  for (const { file } of web.used.prefixes)
    problems.push(`${file} puts the name of a text together, with which a browser would load all of them`)
  for (const key of english.keys())
    if (!sides.some(({ used }) => used.has(key))) problems.push(`${key} is not used anywhere`)
  return { problems, count: english.size }
}

/** Returns which texts some sources use, by their keys and by how their keys begin. */
function readUses(root, pattern) {
  const keys = new Set()
  const prefixes = []
  for (const file of globSync(pattern, { cwd: root, exclude: (name) => /^paraglide$|\.test\.ts$/.test(name) })) {
    const source = readFileSync(join(root, file), 'utf8')
    for (const [, key] of source.matchAll(/\bm\.([a-z]\w*)/g)) keys.add(key)
    for (const [, prefix] of source.matchAll(/\bm\[\s*`(\w+)\$\{/g)) prefixes.push({ file, prefix })
  }
  return { keys, prefixes, has: (key) => keys.has(key) || prefixes.some(({ prefix }) => key.startsWith(prefix)) }
}

const placeholders = (text) => [...new Set(text.match(/\{\w+\}/g))].sort().join(' ')
