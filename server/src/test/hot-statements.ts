import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MEASURED, NOT_MEASURED } from './hot-statement-list.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** A statement of one of the lists. */
export type HotStatement = { file: string; name: string; keys: string[]; isMeasured: boolean }

/** A function that has statements: its source, with that of the parts of SQL it uses. */
type StatementSource = { source: string; statements: string[][] }

/** Returns the statements of both lists. */
export const listHotStatements = (): HotStatement[] =>
  [MEASURED, NOT_MEASURED].flatMap((files) =>
    Object.entries(files).flatMap(([file, statements]) =>
      Object.entries(statements).map(([name, keys]) => ({
        ...{ file, name, keys: keys.split(' ') },
        isMeasured: files === MEASURED,
      })),
    ),
  )

/** Returns the functions of a file that have a statement. */
export function statementsOf(file: string): Map<string, StatementSource> {
  const text = readFileSync(join(ROOT, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
  const declarations = new Map(
    text.split(/^(?=(?:export )?(?:const|async function|function) )/m).flatMap((source) => {
      const name = /^(?:export )?(?:const|async function|function) (\w+)/.exec(source)?.[1]
      return name ? [[name, source] as const] : []
    }),
  )
  const named = [...declarations].flatMap(([name, source]) => {
    const statements = templatesOf(source)
      .filter(([first = '']) => /^\s*(select|insert|update|delete|with)\b/.test(first))
      .map(toPieces)
    if (statements.length === 0) return []
    const parts = [...source.matchAll(/\$\{(\w+)\(db/g)].map(([, part]) => declarations.get(part!) ?? '')
    return [[name, { source: [source, ...parts].join('\n'), statements }] as const]
  })
  return new Map(named)
}

/** Returns the template literals of a source, each as its literal parts; those inside a template are parts of it. */
function templatesOf(source: string): string[][] {
  const templates: string[][] = []
  let at = 0
  /** Reads a template from behind its first backtick. */
  const readTemplate = (): string[] => {
    const parts: string[] = []
    let part = ''
    for (; source[at] !== '`' && at < source.length; at++) {
      if (source.startsWith('${', at)) {
        at += 2
        skipExpression()
        parts.push(part)
        part = ''
      } else part += source[at]
    }
    return [...parts, part]
  }
  const skipExpression = () => {
    for (let depth = 1; at < source.length; at++) {
      if (source[at] === '`') {
        at++
        readTemplate()
      } else if (source[at] === '{') depth++
      else if (source[at] === '}' && --depth === 0) return
    }
  }
  for (; at < source.length; at++) {
    if (source[at] !== '`') continue
    at++
    templates.push(readTemplate())
  }
  return templates
}

const COMMENT = /--.*$/gm
/**
 * What the statistics of PostgreSQL have a parameter for, unless a statement was prepared before they began: from version 18 on one
 * for a whole list.
 */
const CONSTANT = (() => {
  const one = String.raw`(?:'[^']*'|\$\d+|\b\d+(?:\.\d+)?\b|\b(?:true|false|null)\b|(?<=\bextract\()\w+)`
  return new RegExp(String.raw`${one}(?:\s*,\s*${one})*(?: /\*, \.\.\. \*/)?`, 'g')
})()
const collapse = (sql: string) => sql.replace(/\s+/g, ' ').trim()

const toPieces = (parts: string[]): string[] =>
  parts.flatMap((part) => part.replace(COMMENT, '').split(CONSTANT)).map(collapse)

/** Returns a query as it is whatever its constants are. */
export const withoutConstants = (query: string): string => collapse(query.replace(COMMENT, '').replace(CONSTANT, '?'))

/** Returns whether a query, as PostgreSQL records it with parameters for its constants, is a statement of a source. */
export function isStatement(query: string, [first = '', ...rest]: string[]): boolean {
  const text = collapse(query.replace(COMMENT, ''))
  if (!text.startsWith(first)) return false
  let at = first.length
  for (const piece of rest) {
    const found = text.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return rest.at(-1) === '' || text.length === at
}

/** Returns whether a statement finds its rows by a column: compares it, joins by it, or writes a row under it. */
export const isFoundBy = (source: string, key: string) =>
  new RegExp(`\\b${key} (=|is not distinct from|in) `).test(source) ||
  new RegExp(`insert into [\\w.]+[^(]*\\([^)]*\\b${key}\\b`, 's').test(source) ||
  new RegExp(`from unnest\\([\\s\\S]*\\bas (\\w+ )?\\([^)]*\\b${key}\\b`).test(source)
