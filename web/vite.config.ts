import { readdirSync, readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { paraglideVitePlugin } from '@inlang/paraglide-js'
import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'
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
  '/healthz',
  '/readyz',
]

/** Texts become typed functions in src/paraglide. The locale comes from the path by hand: Paraglide's own "url" strategy costs 6 kB a page. */
const paraglidePlugin = paraglideVitePlugin({
  project: resolve(here, 'project.inlang'),
  outdir: resolve(here, 'src/paraglide'),
  outputStructure: 'message-modules',
  emitTsDeclarations: false,
  strategy: ['globalVariable', 'baseLocale'],
})

/** The file of texts each key stands in: 'admin', 'vehicles' … */
const fileOfMessageKey = new Map(
  readdirSync(resolve(here, 'locales/en')).flatMap((file) =>
    Object.keys(JSON.parse(readFileSync(resolve(here, 'locales/en', file), 'utf8')) as object).map(
      (key) => [key, basename(file, '.json')] as const,
    ),
  ),
)

/** Areas of which two pages or more use parts: the folders of their code, and the files of their texts. */
const chunkOfFeature: Record<string, string> = {
  auth: 'account',
  admin: 'admin',
  vehicles: 'vehicles',
  messages: 'messages',
  profile: 'profile',
}

/** The area of a module that is none of every page; texts of no such area are a part by their file. */
function featureChunkOf(id: string): string | null {
  const key = /paraglide\/messages\/(\w+)\.js$/.exec(id)?.[1]
  const file = key === undefined ? undefined : fileOfMessageKey.get(key)
  if (file === 'admin') return 'texts-admin' // the frame of the area needs some, and none of its pages' code
  if (file !== undefined) return file === 'common' ? null : (chunkOfFeature[file] ?? `texts-${file}`)
  return chunkOfFeature[/web\/src\/(\w+)\//.exec(id)?.[1] ?? ''] ?? null
}

export default defineConfig({
  root: here, // the framework's own preview server, which writes the pages, would else look in the working directory
  resolve: { tsconfigPaths: true }, // the build finds "~/*" by itself, the dev server does not
  plugins: [tailwindcss(), paraglidePlugin, slimContract(), reactRouter()],
  // found one after the other they would each make the dev server reload the page
  optimizeDeps: {
    include: ['@supabase/auth-js', '@tanstack/react-query', 'clsx', 'eventsource-parser', 'lucide-react', 'zod/mini'],
  },
  server: {
    fs: { allow: [resolve(here, '..')] }, // contract/src and node_modules lie beside web/
    // ^…(/|$|?) so that "/dev" does not swallow a page that merely begins with these letters
    proxy: Object.fromEntries(serverPaths.map((path) => [`^${path.replace('.', '\\.')}([/?]|$)`, { target: apiUrl }])),
  },
  // Without groups every shared text and icon, and each part of a library, becomes a file of its own (57 files on
  // /dashboard/messages instead of 12): each costs its headers, and on a phone its place in the queue. A group takes what its
  // modules import along, unless a group of higher priority has it, and loads whole: only what the same pages use belongs
  // into one, and what is everybody's goes first.
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                { name: 'react', test: /node_modules\/(react|react-dom|scheduler|react-router)\//, priority: 90 },
                { name: 'zod', test: /node_modules\/zod\//, priority: 87 },
                {
                  name: 'base', // what every page with scripts runs: the UI components, their icons and their texts
                  test: (id) =>
                    /web\/src\/(paraglide|lib\/(http|page|form|i18n)|ui\/(?!signed-in\/))|contract\/src\/endpoint\.|node_modules\/(clsx|lucide-react)\//.test(
                      id,
                    ) && featureChunkOf(id) === null,
                  minShareCount: 2,
                  priority: 86,
                },
                { name: 'fields', test: /contract\/src\/(new-vehicle|fields)\./, priority: 80 },
                {
                  name: 'signed-in', // what every page of an owner or an admin runs
                  test: /web\/src\/(lib\/(session|live|query|time|push)|ui\/signed-in|layouts\/signed-in|notifications|push)\/|contract\/src\/(vehicles|notifications|profile)\.|node_modules\/@tanstack\//,
                  minShareCount: 2,
                  priority: 60,
                },
                {
                  name: 'admin-frame',
                  test: (id) =>
                    featureChunkOf(id) === 'texts-admin' || /web\/src\/admin\/frame\/|contract\/src\/admin\./.test(id),
                  minShareCount: 2,
                  priority: 50,
                },
                { name: 'vehicles', test: (id) => featureChunkOf(id) === 'vehicles', minShareCount: 2, priority: 45 },
                { name: featureChunkOf, minShareCount: 2, priority: 40 },
                { name: 'auth-js', test: /node_modules\/@supabase\// },
              ],
            },
          },
        },
      },
    },
  },
  build: { target: 'es2023', assetsInlineLimit: 0, reportCompressedSize: false },
})
