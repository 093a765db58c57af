import { type ESTree, type Plugin, parseAst } from 'vite'

/** What the server alone needs of an endpoint: the schemas it checks by, and the words of `/openapi.json`. */
const SERVER_ONLY_FIELDS = ['summary', 'input', 'output']

type Edit = { start: number; end: number; text: string }

/**
 * Gives browsers the contract without what they never run (decision 0044). An endpoint loses the fields above, and every
 * call that makes a constant is marked as dropped when nobody uses what it makes: a bundler cannot know that of
 * `z.string().check(…)`, and one schema that stays brings all of zod along.
 */
export function slimContract(): Plugin {
  return {
    name: 'slim-contract',
    enforce: 'post', // when the types are gone
    transform: {
      filter: { id: /\/contract\/src\/[\w-]+\.ts$/ },
      handler: (code) => ({ code: collectEdits(code).reduceRight(applyEdit, code), map: null }),
    },
  }
}

const applyEdit = (code: string, { start, end, text }: Edit) => code.slice(0, start) + text + code.slice(end)

/** In the order of the text. */
function collectEdits(code: string): Edit[] {
  const edits: Edit[] = []
  for (const statement of parseAst(code).body) {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (declaration?.type !== 'VariableDeclaration') continue
    for (const { init } of declaration.declarations) {
      if (init?.type !== 'CallExpression') continue
      edits.push({ start: init.start, end: init.start, text: '/* @__PURE__ */ (() => ' })
      if (init.callee.type === 'Identifier' && init.callee.name === 'endpoint')
        edits.push(...removeServerFields(init.arguments))
      edits.push({ start: init.end, end: init.end, text: ')()' })
    }
  }
  return edits
}

/** Each field that is for the server goes with the comma behind it. */
function removeServerFields([definition]: ESTree.Argument[]): Edit[] {
  if (definition?.type !== 'ObjectExpression') return []
  return definition.properties.flatMap((field, i, { [i + 1]: next }) =>
    field.type === 'Property' && field.key.type === 'Identifier' && SERVER_ONLY_FIELDS.includes(field.key.name)
      ? [{ start: field.start, end: next?.start ?? field.end, text: '' }]
      : [],
  )
}
