import { resolve } from 'node:path'
import { build, type Plugin, type Rolldown } from 'vite'
import { slimContract } from './slim-contract.ts'

const SOURCE = resolve(import.meta.dirname, 'src')
const ENTRY = resolve(SOURCE, 'plain-forms.ts')
const MODULE = 'virtual:plain-form-script'

type Output = Rolldown.RolldownOutput['output']

/**
 * Provides `virtual:plain-form-script`, whose `PLAIN_FORM_SCRIPT` is the address of the script of pages with a plain form. It is bundled
 * apart from the app, of which these pages load nothing.
 */
export function plainFormScript(): Plugin {
  let isDev = false
  let bundled: Promise<Output> | undefined
  const bundleOnce = () => (bundled ??= bundle())
  return {
    name: 'plain-form-script',
    configResolved: ({ command }) => {
      isDev = command === 'serve'
    },
    resolveId: { filter: { id: new RegExp(`^${MODULE}$`) }, handler: () => `\0${MODULE}` },
    load: {
      filter: { id: new RegExp(`^\0${MODULE}$`) },
      async handler() {
        const address = isDev ? '/src/plain-forms.ts' : `/${(await bundleOnce())[0].fileName}`
        return `export const PLAIN_FORM_SCRIPT = ${JSON.stringify(address)}`
      },
    },
    async generateBundle() {
      if (this.environment.name !== 'client') return
      for (const file of await bundleOnce())
        this.emitFile({
          type: 'asset',
          fileName: file.fileName,
          source: file.type === 'chunk' ? file.code : file.source,
        })
    },
  }
}

/** Bundles src/plain-forms.ts; what it loads on demand becomes files of its own. */
async function bundle(): Promise<Output> {
  const names = 'assets/[name]-[hash].js'
  const bundled = await build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: 'warn',
    resolve: { alias: { '~': SOURCE } },
    plugins: [slimContract()],
    worker: { format: 'es' },
    build: {
      write: false,
      target: 'es2023',
      modulePreload: false,
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: ENTRY,
        output: {
          format: 'es',
          entryFileNames: names,
          chunkFileNames: names,
          assetFileNames: 'assets/[name]-[hash][extname]',
        },
      },
    },
  })
  if (Array.isArray(bundled) || !('output' in bundled)) throw new Error('the script of plain forms was not built')
  return bundled.output
}
