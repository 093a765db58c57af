import { type ESTree, type Plugin, parseAst } from 'vite'

/** The fields of an endpoint that only the server needs: the schemas it validates with, and what `/openapi.json` says. */
const SERVER_ONLY_FIELDS = ['summary', 'input', 'output', 'status', 'query', 'headers', 'requestType', 'responseType']

type Edit = { start: number; end: number; text: string }

/**
 * Removes from the contract what browsers never run (decision page-weight). An endpoint loses the fields above, and every call
 * that initializes a constant is marked as free of side effects: a bundler cannot infer that of `z.string().check(…)`, and
 * a single schema that remains brings all of zod along.
 */
export function slimContract(): Plugin {
  return {
    name: 'slim-contract',
    enforce: 'post', // after the types are removed
    transform: {
      filter: { id: /\/contract\/src\/[\w-]+\.ts$/ },
      handler: (code) => ({ code: collectEdits(code).reduceRight(applyEdit, code), map: null }),
    },
  }
}

const applyEdit = (code: string, { start, end, text }: Edit) => code.slice(0, start) + text + code.slice(end)

/** Returns the edits in source order. */
function collectEdits(code: string): Edit[] {
  const edits: Edit[] = []
  for (const statement of parseAst(code).body) {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (declaration?.type !== 'VariableDeclaration') continue
    for (const { init } of declaration.declarations) {
      // an object may hold schemas
      if (init?.type !== 'CallExpression' && init?.type !== 'ObjectExpression') continue
      edits.push({ start: init.start, end: init.start, text: '/* @__PURE__ */ (() => (' })
      if (init.type === 'CallExpression' && init.callee.type === 'Identifier' && init.callee.name === 'endpoint')
        edits.push(...removeServerFields(init.arguments))
      edits.push({ start: init.end, end: init.end, text: '))()' })
    }
  }
  return edits
}

/** Returns edits that remove each server-only field and the comma after it. */
function removeServerFields([definition]: ESTree.Argument[]): Edit[] {
  if (definition?.type !== 'ObjectExpression') return []
  return definition.properties.flatMap((field, i, { [i + 1]: next }) =>
    field.type === 'Property' && field.key.type === 'Identifier' && SERVER_ONLY_FIELDS.includes(field.key.name)
      ? [{ start: field.start, end: next?.start ?? field.end, text: '' }]
      : [],
  )
}
