import type { Config } from '@react-router/dev/config'
import { adminPages, answerPages, formPages, inFrench, ownerPages, textPages } from './pages.mjs'

// Public pages become real HTML; app pages become a small shell each, which carries the modulepreload links of exactly
// that page, so that opening one needs no second round trip to find its scripts.
const pages = [...textPages, ...formPages, ...answerPages, ...ownerPages, ...adminPages]

export default {
  appDirectory: 'src',
  buildDirectory: process.env['WEB_BUILD_DIR'] ?? 'build', // scripts build beside it and swap, so that a running server keeps its files
  ssr: false,
  prerender: {
    paths: [...pages, ...pages.map(inFrench)],
    concurrency: 1, // the language of the page being written is a module variable (lib/i18n/i18n.tsx)
  },
  splitRouteModules: false, // a page's loader comes with the page: as files of their own they cost more than they save
} satisfies Config
