import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Checks the text pages in web/src/<feature>/content/<locale>/*.ts: returns the problems and how many texts there are. Each
 * file exports plain objects; `content/shape.ts` lists the placeholders. The types say what a text must have, this check
 * that both languages have equally much of it.
 */
export async function checkContent(web, locales) {
  const sources = readSources(web)
  const problems = []
  let count = 0
  for (const feature of readdirSync(join(web, 'src')).filter((name) => existsSync(contentFolder(web, name)))) {
    const folder = contentFolder(web, feature)
    const shape = await importModule(join(folder, 'shape.ts'))
    const names = new Set(locales.flatMap((locale) => readdirSync(join(folder, locale))))
    for (const name of [...names].sort()) {
      const texts = await Promise.all(locales.map((locale) => collectTexts(join(folder, locale, name), shape)))
      count += texts[0].size
      problems.push(
        ...differences(locales, texts).map((text) => `${feature}/content: ${name}${text}`),
        ...locales
          .filter((locale) => !isImported(sources, feature, `content/${locale}/${name}`))
          .map((locale) => `${feature}/content/${locale}/${name} is not used anywhere`),
      )
    }
  }
  return { problems, count }
}

const contentFolder = (web, feature) => join(web, 'src', feature, 'content')
const importModule = (file) => import(pathToFileURL(file).href)

const isImported = (sources, feature, path) =>
  [...sources].some(([file, source]) => file.startsWith(`${feature}/`) && source.includes(`from './${path}'`))

/** Returns the shape of each text by its path (`.terms.sections.privacy.blocks.2`); empty when there is no such file. */
async function collectTexts(file, shape) {
  const texts = new Map()
  if (!existsSync(file)) return texts
  const walk = (value, path) => {
    if (typeof value === 'string') texts.set(path, describeText(value, shape))
    else for (const [key, part] of Object.entries(value)) walk(part, `${path}.${key}`)
  }
  walk(await importModule(file), '')
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
export function readSources(web) {
  const src = join(web, 'src')
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(sep).join('/'))
    .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('paraglide/'))
  return new Map(files.map((file) => [file, readFileSync(join(src, file), 'utf8')]))
}
