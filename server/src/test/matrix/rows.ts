import { CALLERS, type CallerName, type IdKind, RESPONSES, TABLE } from './table.ts'

/** One cell: what a caller gets from a way to call a route. */
export type Row = { label: string; route: string; id: IdKind; responses: Record<CallerName, string> }

const ID_KINDS: IdKind[] = ['own', 'other', 'missing', 'malformed']

/** Writes out what stands in braces: `{a,b}c` is `ac` and `bc`. */
function expand(text: string): string[] {
  const found = /\{([^{}]*)\}/.exec(text)
  if (!found) return [text]
  const [whole, inner] = found as unknown as [string, string]
  return inner
    .split(',')
    .flatMap((choice) => expand(text.slice(0, found.index) + choice + text.slice(found.index + whole.length)))
}

/** Reads the table. Throws where it is not complete or not readable. */
export function readRows(table: string = TABLE): Row[] {
  const [head, ...lines] = table.split('\n').filter((line) => line.trim() !== '')
  const columns = head!.split(/\s+/).slice(2)
  if (columns.join() !== CALLERS.join()) throw new Error(`the columns are ${CALLERS.join(' ')}`)
  return lines.flatMap((line) => {
    const [, labels = '', id = '', rest = ''] = /^(\S+ .*?) +(own|other|missing|malformed|-) +(.+)$/.exec(line) ?? []
    const cells = rest.trim().split(/\s+/)
    const unknown = cells.filter((cell) => !(cell in RESPONSES))
    if (labels === '' || unknown.length > 0 || (cells.length !== 1 && cells.length !== CALLERS.length)) {
      throw new Error(`this line cannot be read: ${line} ${unknown.join()}`)
    }
    const responses = Object.fromEntries(
      CALLERS.map((name, i) => [name, cells.length === 1 ? cells[0]! : cells[i]!]),
    ) as Row['responses']
    return expand(labels).map((label) => ({
      label,
      route: label.replace(/ \(.*\)$/, ''),
      id: id as IdKind,
      responses,
    }))
  })
}

/** Lists what is wrong with the rows for these routes: each needs one row without an id, or one for each kind of id. */
export function missingRows(routes: string[], rows: Row[]): string[] {
  const kindsByLabel = Map.groupBy(rows, ({ label }) => label)
  const served = new Set(routes)
  const withRow = new Set(rows.map(({ route }) => route))
  return [
    ...routes.filter((route) => !withRow.has(route)).map((route) => `${route} has no row`),
    ...[...withRow]
      .filter((route) => !served.has(route) && !route.includes(' * '))
      .map((route) => `${route} has a row and is not served`),
    ...[...kindsByLabel].flatMap(([label, found]) => {
      const kinds = found.map(({ id }) => id)
      const wanted = kinds.includes('-') ? ['-'] : ID_KINDS
      return kinds.toSorted().join() === wanted.toSorted().join() ? [] : [`${label} has rows for ${kinds.join(', ')}`]
    }),
  ]
}
