import { resolve } from 'node:path'
import { build, type Plugin } from 'vite'

const SOURCE = resolve(import.meta.dirname, 'src')
const ENTRY = resolve(SOURCE, 'inline-head/index.ts')
const MODULE = 'virtual:inline-head'

/** Must not be in the script: it would end its element, or the server would replace it (server/src/http/template.ts). */
const FORBIDDEN = /<\/script|%[A-Z_]+%/i

/** Provides `virtual:inline-head`, whose `INLINE_HEAD_SCRIPT` is the script that root.tsx puts into every page. */
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
      target: 'es2017', // in browsers too old for the app pages of text should work, and forms say why they do not
      modulePreload: false,
      rolldownOptions: { input: ENTRY, output: { format: 'iife' } },
    },
  })
  if (Array.isArray(output) || !('output' in output)) throw new Error('the inline head script was not built')
  const [{ code, moduleIds }, ...others] = output.output
  if (others.length > 0) throw new Error('the inline head script must be one file')
  const script = code.trim()
  const found = FORBIDDEN.exec(script)
  if (found) throw new Error(`the inline head script must not contain ${found[0]}`)
  return { script, modules: moduleIds }
}
