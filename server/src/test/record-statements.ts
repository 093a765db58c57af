import { subscribe } from 'node:diagnostics_channel'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BuiltStatement } from '../db/sql.ts'

// Loaded into every process of a recording run (`record-release.ts`): keeps one statement of each form that the product ran, and
// writes them to a file when the process ends.

/** Returns a text that is the same for statements which differ in the number of their rows or the values of a list. */
const formOf = (text: string) =>
  text
    .replace(/\$\d+/g, '$')
    .replace(/(\([$,]+\))(?:,\1)+/g, '$1')
    .replace(/\(\$(?:,\$)+\)/g, '($)')

/** Whether code of the product made a statement: not a test, and not a migration, which no release repeats. */
function isOfProduct(origin: string): boolean {
  const file = /\/(server|bench)\/[^\s):]+\.ts/g
  const caller = [...origin.matchAll(file)].map(([path]) => path).find((path) => !path.endsWith('/db/sql.ts')) ?? ''
  return caller.startsWith('/server/src/') && !/\.test\.ts$|\/src\/(?:test|seed)\/|\/db\/migrate\.ts$/.test(caller)
}

const isQuery = (text: string) => /^(?:\s|--.*\n)*(?:with|select|insert|update|delete)\b/i.test(text)

const folder = process.env['RECORD_STATEMENTS_INTO']
if (folder) {
  const statements = new Map<string, BuiltStatement>()
  subscribe('platenote:statement', (message) => {
    const { text, types, values, origin } = message as BuiltStatement & { origin: string }
    const form = formOf(text)
    if (statements.has(form) || !isQuery(text) || !isOfProduct(origin)) return
    statements.set(form, { text, ...(types && { types }), ...(values && { values }) })
  })
  process.on('exit', () => {
    // the process that serves the database to the tests ends after them, and has run no statements
    if (statements.size > 0) writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify([...statements]))
  })
}
