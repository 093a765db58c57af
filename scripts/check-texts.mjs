// Every text exists in both languages with the same placeholders, every text a page asks for exists, and every text is asked for.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const web = join(import.meta.dirname ?? '.', '../web')
const settings = JSON.parse(readFileSync(join(web, 'project.inlang/settings.json'), 'utf8'))
const complaints = []

/** Key → text of one language, from all of its files. */
function textsOf(locale) {
  const texts = new Map()
  for (const pattern of settings['plugin.inlang.messageFormat'].pathPattern) {
    const file = join(web, pattern.replace('{locale}', locale))
    if (!existsSync(file)) {
      complaints.push(`${locale}: ${file} is listed in project.inlang/settings.json but does not exist`)
      continue
    }
    for (const [key, text] of Object.entries(JSON.parse(readFileSync(file, 'utf8')))) {
      if (key === '$schema') continue
      if (texts.has(key)) complaints.push(`${locale}: ${key} stands in two files`)
      texts.set(key, JSON.stringify(text))
    }
  }
  const unlisted = readdirSync(join(web, 'messages', locale)).filter(
    (name) => !settings['plugin.inlang.messageFormat'].pathPattern.some((pattern) => pattern.endsWith(`/${name}`)),
  )
  for (const name of unlisted)
    complaints.push(`messages/${locale}/${name} is not listed in project.inlang/settings.json`)
  return texts
}

const placeholders = (text) => [...new Set(text.match(/\{\w+\}/g))].sort().join(' ')

const [english, french] = settings.locales.map(textsOf)
for (const [key, text] of english) {
  if (!french.has(key)) complaints.push(`${key} has no French text`)
  else if (placeholders(text) !== placeholders(french.get(key))) complaints.push(`${key}: the placeholders differ`)
}
for (const key of french.keys()) if (!english.has(key)) complaints.push(`${key} has no English text`)

const sources = readdirSync(join(web, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('paraglide'))
  .map((file) => readFileSync(join(web, 'src', file), 'utf8'))
const used = new Set(sources.flatMap((source) => [...source.matchAll(/\bm\.([a-z]\w*)/g)].map(([, key]) => key)))
for (const key of used) if (!english.has(key)) complaints.push(`m.${key} is used but has no text`)
for (const key of english.keys()) if (!used.has(key)) complaints.push(`${key} is not used anywhere`)

for (const complaint of complaints) console.error(complaint)
if (complaints.length > 0) process.exit(1)
console.log(`${english.size} texts in ${settings.locales.length} languages`)
