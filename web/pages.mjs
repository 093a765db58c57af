// The pages of the web app by what they are: what is written at build time, measured and walked through by tests.
// Plain JavaScript, because `npm run lighthouse` reads it with whatever Node starts it.

/** Text alone, without a script of ours (decision 0044). */
export const textPages = ['/', '/about-us', '/terms-and-conditions', '/privacy']

/** A form each; they are for everybody too. */
export const formPages = [
  '/contact-us',
  '/login',
  '/signup',
  '/forgot-password',
  '/verify-email',
  '/reset-password',
  '/admin/login',
]

/** What a search engine may list, in both languages; all other pages ask it not to, each in its own head. */
export const listedPages = [...textPages, '/contact-us', '/login', '/signup', '/forgot-password']

/** What the server or the service worker answers with; no link leads there. */
export const answerPages = ['/contact-us/sent', '/contact-us/again', '/404', '/offline']

/** For somebody signed in. */
export const ownerPages = [
  '/dashboard',
  '/dashboard/vehicles',
  '/dashboard/vehicle/new',
  '/dashboard/messages',
  '/dashboard/notifications',
  '/dashboard/profile',
  '/send',
]

/** For admins. */
export const adminPages = [
  '/admin',
  '/admin/users',
  '/admin/vehicles',
  '/admin/disputes',
  '/admin/audit-log',
  '/admin/profile',
]

/** @param {string} path of a page in English */
export const inFrench = (path) => (path === '/' ? '/fr' : `/fr${path}`)
