import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locale } from '#contract/product.ts'

const LOCALES_FOLDER = join(import.meta.dirname, '../../web/locales')

/**
 * Returns a look-up of the texts of a language by their keys, for tests that run in several languages. What a text
 * says is tested elsewhere (e2e/specification).
 */
export function textsOf(locale: Locale): (key: string, values?: Record<string, string>) => string {
  const texts = Object.assign(
    {},
    ...globSync(`${locale}/*.json`, { cwd: LOCALES_FOLDER }).map((file) =>
      JSON.parse(readFileSync(join(LOCALES_FOLDER, file), 'utf8')),
    ),
  ) as Record<string, unknown>
  return (key, values = {}) => {
    const text = texts[key]
    if (typeof text !== 'string') throw new Error(`no text ${key} in ${locale}`)
    return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? `{${name}}`)
  }
}
