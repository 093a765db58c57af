import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { paraglideVitePlugin } from '@inlang/paraglide-js'
import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Plugin } from 'vite'
import { chunkGroups } from './chunk-groups.ts'
import { inlineHead } from './inline-head.ts'
import { plainFormScript } from './plain-form-script.ts'
import routerConfig from './react-router.config.ts'
import { slimContract } from './slim-contract.ts'
import { makeTypeface } from './typeface.mjs'

await makeTypeface()

const here = import.meta.dirname
const apiUrl = process.env.API_URL ?? 'http://127.0.0.1:3001'
const serverPaths = [
  '/api',
  '/auth',
  '/rest',
  '/functions',
  '/storage',
  '/dev',
  '/make_models.json',
  '/register-plate',
  '/send-email',
  '/unsubscribe',
  '/openapi.json',
  '/.well-known/security.txt',
  '/healthz',
  '/readyz',
]

/** Compiles texts into typed functions in src/paraglide. The app reads the locale from the path itself, because Paraglide's "url" strategy costs 6 kB a page. */
const paraglidePlugin = paraglideVitePlugin({
  project: resolve(here, '../locales/web.inlang'),
  outdir: resolve(here, 'src/paraglide'),
  outputStructure: 'message-modules',
  emitTsDeclarations: false,
  strategy: ['globalVariable', 'baseLocale'],
})

/**
 * Loads the app before the framework prerenders its pages: it gives up on a page that takes ten seconds, and the first one, which
 * loaded the app, took as long on a machine that was busy.
 */
const loadBeforePrerendering: Plugin = {
  name: 'load-before-prerendering',
  async configurePreviewServer() {
    await import(pathToFileURL(resolve(here, routerConfig.buildDirectory, 'server', 'index.js')).href)
  },
}

export default defineConfig({
  root: here, // otherwise the framework's preview server, which prerenders the pages, uses the working directory
  resolve: {
    tsconfigPaths: true, // the build resolves "~/*" without this, the dev server does not
    alias: { '#texts': resolve(here, 'src/paraglide') }, // the contract's texts, one module each; the server has them in one
  },
  plugins: [
    tailwindcss(),
    paraglidePlugin,
    slimContract(),
    inlineHead(),
    plainFormScript(),
    reactRouter(),
    loadBeforePrerendering,
  ],
  // discovered one by one, each of them would make the dev server reload the page
  optimizeDeps: {
    include: ['@supabase/auth-js', '@tanstack/react-query', 'clsx', 'eventsource-parser', 'lucide-react', 'zod/mini'],
  },
  server: {
    fs: { allow: [resolve(here, '..')] }, // contract/src and node_modules are beside web/
    // ^…(/|$|?) so that "/dev" does not match a page whose path merely starts with these letters
    proxy: {
      ...Object.fromEntries(serverPaths.map((path) => [`^${path.replace('.', '\\.')}([/?]|$)`, { target: apiUrl }])),
      // what a plain form sends; the page itself comes from here
      '^(?:/fr)?/(?:contact-us|n|t|t/[^/?]+|r)$': {
        target: apiUrl,
        bypass: ({ method, url }) => (method === 'POST' ? undefined : url),
      },
    },
  },
  environments: { client: { build: { rolldownOptions: { output: { codeSplitting: { groups: chunkGroups } } } } } },
  build: { target: 'es2023', assetsInlineLimit: 0, reportCompressedSize: false },
})
