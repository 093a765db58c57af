import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Checks the texts of the pages for people without an account: every language has a file, and in it the same sentences with
 * the same placeholders as English, none of them empty. Returns the problems and how many texts there are.
 */
export async function checkGuestTexts(root) {
  const { GUEST_LANGUAGES } = await import(pathToFileURL(join(root, 'contract/src/guest-languages.ts')).href)
  const folder = join(root, 'locales/guest')
  const load = (file) => JSON.parse(readFileSync(join(folder, file), 'utf8'))
  const fileOf = (language) => `${language}.json`
  const files = readdirSync(folder)
  const problems = files
    .filter((name) => !GUEST_LANGUAGES.some((language) => fileOf(language) === name))
    .map((name) => `${name} is of no language of the list`)
  const english = flatten(load(fileOf('en')))
  for (const language of GUEST_LANGUAGES) {
    if (!files.includes(fileOf(language))) {
      problems.push(`guest/${fileOf(language)} does not exist`)
      continue
    }
    const texts = flatten(load(fileOf(language)))
    for (const [key, text] of english) {
      const own = texts.get(key)
      if (own === undefined || own.trim() === '') problems.push(`guest/${fileOf(language)}: ${key} has no text`)
      else if (placeholders(own) !== placeholders(text))
        problems.push(`guest/${fileOf(language)}: the placeholders of ${key} differ`)
    }
    for (const key of texts.keys())
      if (!english.has(key)) problems.push(`guest/${fileOf(language)}: ${key} is not in English`)
  }
  return { problems, count: english.size }
}

/** Returns the sentences of nested objects by the path of their keys. */
const flatten = (texts, path = '') =>
  new Map(
    Object.entries(texts).flatMap(([key, value]) =>
      typeof value === 'string' ? [[`${path}${key}`, value]] : [...flatten(value, `${path}${key}.`)],
    ),
  )

const placeholders = (text) => (text.match(/\{\w+\}/g) ?? []).sort().join()
