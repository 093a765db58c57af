import { readdirSync, readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { paraglideVitePlugin } from '@inlang/paraglide-js'
import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'

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
const texts = paraglideVitePlugin({
  project: resolve(here, 'project.inlang'),
  outdir: resolve(here, 'src/paraglide'),
  outputStructure: 'message-modules',
  emitTsDeclarations: false,
  strategy: ['globalVariable', 'baseLocale'],
})

/** The file of texts each key stands in: 'admin', 'vehicles' … */
const fileOfText = new Map(
  readdirSync(resolve(here, 'messages/en')).flatMap((file) =>
    Object.keys(JSON.parse(readFileSync(resolve(here, 'messages/en', file), 'utf8')) as object).map(
      (key) => [key, basename(file, '.json')] as const,
    ),
  ),
)

/** Texts that pages share, by the file they stand in; those of common.json are in the part every page has. */
function groupOfText(id: string): string | null {
  const key = /paraglide\/messages\/(\w+)\.js$/.exec(id)?.[1]
  const file = key === undefined ? undefined : fileOfText.get(key)
  return file === undefined || file === 'common' ? null : `texts-${file}`
}

export default defineConfig({
  root: here, // the framework's own preview server, which writes the pages, would else look in the working directory
  resolve: { tsconfigPaths: true }, // the build finds "~/*" by itself, the dev server does not
  plugins: [tailwindcss(), texts, reactRouter()],
  // found one after the other they would each make the dev server reload the page
  optimizeDeps: {
    include: [
      '@hookform/resolvers/zod',
      '@supabase/auth-js',
      '@tanstack/react-query',
      'clsx',
      'eventsource-parser',
      'lucide-react',
      'react-hook-form',
      'zod/mini',
    ],
  },
  server: {
    fs: { allow: [resolve(here, '..')] }, // contract/src and node_modules lie beside web/
    // ^…(/|$|?) so that "/dev" does not swallow a page that merely begins with these letters
    proxy: Object.fromEntries(serverPaths.map((path) => [`^${path.replace('.', '\\.')}([/?]|$)`, { target: apiUrl }])),
  },
  // Without groups every shared text and icon, and each part of a library, becomes a file of its own (57 files on /dashboard/messages
  // instead of 37): each costs its headers, and on a phone its place in the queue. A group loads whole, with all it imports: only
  // what the same pages use belongs into one.
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                { name: 'react', test: /node_modules\/(react|react-dom|scheduler|react-router)\//, priority: 40 },
                {
                  name: 'base', // what every text imports: in a group of texts, that one would be on every page
                  test: /web\/src\/(paraglide\/(runtime|registry)|lib\/i18n)|contract\/src\/(paths|product)|node_modules\/clsx\//,
                  priority: 30,
                },
                { name: groupOfText, minShareCount: 2, priority: 20 },
                {
                  name: 'shared',
                  // not the parts with a library of their own behind them: they would load it on every page
                  test: /web\/src\/(paraglide|lib\/i18n|ui\/(?!Toasts|Modal|Dialog|ConfirmDialog|Tabs|RelativeTime))|node_modules\/(lucide-react|clsx|zod)\//,
                  minShareCount: 2,
                  priority: 10,
                },
                { name: 'auth', test: /node_modules\/@supabase\// },
                { name: 'query', test: /node_modules\/@tanstack\// },
                { name: 'form', test: /node_modules\/react-hook-form\// },
              ],
            },
          },
        },
      },
    },
  },
  build: { target: 'es2023', assetsInlineLimit: 0, reportCompressedSize: false },
})
