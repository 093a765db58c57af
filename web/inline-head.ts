import { resolve } from 'node:path'
import { build, type Plugin } from 'vite'

const SOURCE = resolve(import.meta.dirname, 'src')
const ENTRY = resolve(SOURCE, 'inline-head/index.ts')
const MODULE = 'virtual:inline-head'

/** What the script may not hold: the end of its own element, and what the server would replace (server/src/http/template.ts). */
const FORBIDDEN = /<\/script|%[A-Z_]+%/i

/** Gives `virtual:inline-head`, whose `INLINE_HEAD_SCRIPT` is the text of the script that root.tsx writes into every page. */
export function inlineHead(): Plugin {
  return {
    name: 'inline-head',
    resolveId: { filter: { id: new RegExp(`^${MODULE}$`) }, handler: () => `\0${MODULE}` },
    load: {
      filter: { id: new RegExp(`^\0${MODULE}$`) },
      async handler() {
        const { script, modules } = await bundleInlineHead()
        for (const file of modules) this.addWatchFile(file)
        return `export const INLINE_HEAD_SCRIPT = ${JSON.stringify(script)}`
      },
    },
  }
}

/** Bundles src/inline-head into one minified script, the same for every page. */
export async function bundleInlineHead(): Promise<{ script: string; modules: string[] }> {
  const output = await build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: 'warn',
    resolve: { alias: { '~': SOURCE } },
    build: {
      write: false,
      target: 'es2020', // pages are to be readable in browsers that run nothing else of ours
      modulePreload: false,
      rolldownOptions: { input: ENTRY, output: { format: 'iife' } },
    },
  })
  if (Array.isArray(output) || !('output' in output)) throw new Error('the inline head script was not built once')
  const [{ code, moduleIds }, ...others] = output.output
  if (others.length > 0) throw new Error('the inline head script must be one file')
  const script = code.trim()
  const found = FORBIDDEN.exec(script)
  if (found) throw new Error(`the inline head script holds ${found[0]}`)
  return { script, modules: moduleIds }
}
