import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Checks the pages of text in locales/legal/<locale>/*.json: returns the problems and how many texts there are. Types say what a page
 * must have and legal-text.ts which placeholders there are; this check, that both languages have equally much of it.
 */
export async function checkContent(root, locales) {
  const shape = await import(pathToFileURL(join(root, 'web/src/legal/legal-text.ts')).href)
  const sources = [...readSources(join(root, 'web'))].filter(([file]) => file.startsWith('legal/'))
  const problems = []
  let count = 0
  const names = new Set(locales.flatMap((locale) => readdirSync(join(root, 'locales/legal', locale))))
  for (const name of [...names].sort()) {
    const texts = locales.map((locale) => collectTexts(join(root, 'locales/legal', locale, name), shape))
    count += texts[0].size
    problems.push(
      ...differences(locales, texts).map((text) => `legal/${name}${text}`),
      ...locales
        .filter((locale) => !sources.some(([, source]) => source.includes(`#legal/${locale}/${name}'`)))
        .map((locale) => `legal/${locale}/${name} is not used anywhere`),
    )
  }
  return { problems, count }
}

/** Returns the shape of each text by its path (`.sections.privacy.blocks.2`); empty when there is no such file. */
function collectTexts(file, shape) {
  const texts = new Map()
  if (!existsSync(file)) return texts
  const walk = (value, path) => {
    if (typeof value === 'string') texts.set(path, describeText(value, shape))
    else for (const [key, part] of Object.entries(value)) walk(part, `${path}.${key}`)
  }
  walk(JSON.parse(readFileSync(file, 'utf8')), '')
  return texts
}

/** Returns what both languages of a text must share, its placeholders, or what is wrong with the text by itself. */
function describeText(text, { VALUES, LINKS }) {
  if (text.trim() === '') return { wrong: 'is empty' }
  const parts = [...text.matchAll(/\{(\w+)(\|[^{}|]+)?\}/g)]
  const unknown = parts.find(([, name, label]) => !(label ? LINKS : VALUES).includes(name))
  if (unknown) return { wrong: `has an unknown placeholder ${unknown[0]}` }
  const rest = parts.reduce((left, [part]) => left.replace(part, ''), text)
  if (/[{}]/.test(rest)) return { wrong: 'has a brace that belongs to no placeholder' }
  const marks = rest.split('**').length - 1
  if (marks % 2 === 1) return { wrong: 'has an odd number of **' }
  return { form: [...parts.map(([, name]) => name).sort(), `${marks / 2} in bold`].join(', ') }
}

function differences(locales, texts) {
  const paths = new Set(texts.flatMap((one) => [...one.keys()]))
  return [...paths].flatMap((path) => {
    const forms = texts.map((one) => one.get(path))
    const own = forms.flatMap((one, i) => {
      if (!one) return [`${path} has no text in ${locales[i]}`]
      return one.wrong ? [`${path} in ${locales[i]} ${one.wrong}`] : []
    })
    if (own.length > 0 || new Set(forms.map(({ form }) => form)).size === 1) return own
    return [`${path}: the placeholders or bold words differ`]
  })
}

/** Returns the sources in web/src that are not generated, by their paths below it (with /). */
function readSources(web) {
  const src = join(web, 'src')
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(sep).join('/'))
    .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('paraglide/'))
  return new Map(files.map((file) => [file, readFileSync(join(src, file), 'utf8')]))
}
