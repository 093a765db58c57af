import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sourcesIn } from './web-sources.mjs'

/** What is wrong with the texts of web/locales, which pages ask for as `m.key()`, and how many there are. */
export function shortTexts(web, { locales, 'plugin.inlang.messageFormat': { pathPattern } }) {
  const complaints = []

  /** Key → text of one language, from all of its files. */
  function textsOf(locale) {
    const texts = new Map()
    for (const pattern of pathPattern) {
      const file = join(web, pattern.replace('{locale}', locale))
      if (!existsSync(file)) {
        complaints.push(`${locale}: ${file} is listed in project.inlang/settings.json but does not exist`)
        continue
      }
      for (const [key, text] of Object.entries(JSON.parse(readFileSync(file, 'utf8')))) {
        if (key === '$schema') continue
        if (texts.has(key)) complaints.push(`${locale}: ${key} stands in two files`)
        if (text === '') complaints.push(`${locale}: ${key} is empty`)
        texts.set(key, JSON.stringify(text))
      }
    }
    const unlisted = readdirSync(join(web, 'locales', locale)).filter(
      (name) => !pathPattern.some((pattern) => pattern.endsWith(`/${name}`)),
    )
    for (const name of unlisted)
      complaints.push(`locales/${locale}/${name} is not listed in project.inlang/settings.json`)
    return texts
  }

  const [english, french] = locales.map(textsOf)
  for (const [key, text] of english) {
    if (!french.has(key)) complaints.push(`${key} has no French text`)
    else if (placeholders(text) !== placeholders(french.get(key))) complaints.push(`${key}: the placeholders differ`)
  }
  for (const key of french.keys()) if (!english.has(key)) complaints.push(`${key} has no English text`)

  for (const [key, text] of french)
    if (/ [:»]|« /.test(text))
      complaints.push(`${key}: the French text needs a no-break space beside its colon or guillemet`)

  const asked = [...sourcesIn(web).values()].flatMap((source) =>
    [...source.matchAll(/\bm\.([a-z]\w*)/g)].map(([, key]) => key),
  )
  const used = new Set(asked)
  for (const key of used) if (!english.has(key)) complaints.push(`m.${key} is used but has no text`)
  for (const key of english.keys()) if (!used.has(key)) complaints.push(`${key} is not used anywhere`)
  return { complaints, count: english.size }
}

const placeholders = (text) => [...new Set(text.match(/\{\w+\}/g))].sort().join(' ')
