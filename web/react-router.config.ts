import type { Config } from '@react-router/dev/config'

// Public pages become real HTML; app pages become a small shell each, which carries the modulepreload links of exactly
// that page, so that opening one needs no second round trip to find its scripts.
const publicPages = [
  '/',
  '/about-us',
  '/contact-us',
  '/contact-us/sent',
  '/contact-us/again',
  '/terms-and-conditions',
  '/privacy',
  '/login',
  '/signup',
  '/verify-email',
  '/forgot-password',
  '/reset-password',
  '/admin/login',
  '/404',
  '/offline',
]
const appShells = [
  '/dashboard',
  '/dashboard/vehicles',
  '/dashboard/vehicle/new',
  '/dashboard/messages',
  '/dashboard/notifications',
  '/dashboard/profile',
  '/send',
  '/admin',
  '/admin/users',
  '/admin/vehicles',
  '/admin/disputes',
  '/admin/audit-log',
  '/admin/profile',
]
const pages = [...publicPages, ...appShells]

export default {
  appDirectory: 'src',
  buildDirectory: process.env['WEB_BUILD_DIR'] ?? 'build', // scripts build beside it and swap, so that a running server keeps its files
  ssr: false,
  prerender: {
    paths: [...pages, ...pages.map((page) => (page === '/' ? '/fr' : `/fr${page}`))],
    concurrency: 1, // the language of the page being written is a module variable (lib/i18n.tsx)
  },
  splitRouteModules: false, // a page's loader comes with the page: as files of their own they cost more than they save
} satisfies Config
