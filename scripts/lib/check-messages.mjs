import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSources } from './check-content.mjs'

/** Checks the texts of web/locales, which pages use as `m.key()`: returns the problems and how many texts there are. */
export function checkMessages(web, { locales, 'plugin.inlang.messageFormat': { pathPattern } }) {
  const problems = []

  /** Returns the texts of one language by their keys, from all of its files. */
  function textsOf(locale) {
    const texts = new Map()
    for (const pattern of pathPattern) {
      const file = join(web, pattern.replace('{locale}', locale))
      if (!existsSync(file)) {
        problems.push(`${locale}: ${file} is listed in project.inlang/settings.json but does not exist`)
        continue
      }
      for (const [key, text] of Object.entries(JSON.parse(readFileSync(file, 'utf8')))) {
        if (key === '$schema') continue
        if (texts.has(key)) problems.push(`${locale}: ${key} is in two files`)
        if (text === '') problems.push(`${locale}: ${key} is empty`)
        texts.set(key, JSON.stringify(text))
      }
    }
    const unlisted = readdirSync(join(web, 'locales', locale)).filter(
      (name) => !pathPattern.some((pattern) => pattern.endsWith(`/${name}`)),
    )
    for (const name of unlisted)
      problems.push(`locales/${locale}/${name} is not listed in project.inlang/settings.json`)
    return texts
  }

  const [english, french] = locales.map(textsOf)
  for (const [key, text] of english) {
    if (!french.has(key)) problems.push(`${key} has no French text`)
    else if (placeholders(text) !== placeholders(french.get(key))) problems.push(`${key}: the placeholders differ`)
  }
  for (const key of french.keys()) if (!english.has(key)) problems.push(`${key} has no English text`)

  const usedKeys = [...readSources(web).values()].flatMap((source) =>
    [...source.matchAll(/\bm\.([a-z]\w*)/g)].map(([, key]) => key),
  )
  const used = new Set(usedKeys)
  for (const key of used) if (!english.has(key)) problems.push(`m.${key} is used but has no text`)
  for (const key of english.keys()) if (!used.has(key)) problems.push(`${key} is not used anywhere`)
  return { problems, count: english.size }
}

const placeholders = (text) => [...new Set(text.match(/\{\w+\}/g))].sort().join(' ')
