import type { Config } from '@react-router/dev/config'
import { adminPages, formPages, inFrench, ownerPages, plainFormPages, responsePages, textPages } from './pages.mjs'

// Public pages are prerendered in full. App pages become a small shell each, with the modulepreload links of exactly that
// page, so that opening one needs no second round trip to discover its scripts.
const pages = [...textPages, ...plainFormPages, ...formPages, ...responsePages, ...ownerPages, ...adminPages]

export default {
  appDirectory: 'src',
  buildDirectory: process.env['WEB_BUILD_DIR'] ?? 'build', // scripts build next to it and swap the folders, so that a running server keeps its files
  ssr: false,
  prerender: {
    paths: [...pages, ...pages.map(inFrench)],
    concurrency: 1, // the language of the page being rendered is a module variable (lib/i18n/i18n.tsx)
  },
  splitRouteModules: false, // as a file of its own, a page's loader costs more than it saves
} satisfies Config
