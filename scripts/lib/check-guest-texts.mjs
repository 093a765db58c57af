import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Checks the texts of the pages for people without an account: every language has a file, and in it the same sentences with
 * the same placeholders as English, none of them empty. Returns the problems and how many texts there are.
 */
export async function checkGuestTexts(contract) {
  const load = (file) => import(pathToFileURL(join(contract, file)).href)
  const { GUEST_LANGUAGES } = await load('guest-languages.ts')
  const fileOf = (language) => `guest-texts-${language}.ts`
  const files = readdirSync(contract).filter((name) => /^guest-texts-[a-z]+\.ts$/.test(name))
  const problems = files
    .filter((name) => !GUEST_LANGUAGES.some((language) => fileOf(language) === name))
    .map((name) => `${name} is of no language of the list`)
  const english = flatten((await load(fileOf('en'))).texts)
  for (const language of GUEST_LANGUAGES) {
    if (!files.includes(fileOf(language))) {
      problems.push(`${fileOf(language)} does not exist`)
      continue
    }
    const texts = flatten((await load(fileOf(language))).texts)
    for (const [key, text] of english) {
      const own = texts.get(key)
      if (own === undefined || own.trim() === '') problems.push(`${fileOf(language)}: ${key} has no text`)
      else if (placeholders(own) !== placeholders(text))
        problems.push(`${fileOf(language)}: the placeholders of ${key} differ`)
    }
    for (const key of texts.keys())
      if (!english.has(key)) problems.push(`${fileOf(language)}: ${key} is not in English`)
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
