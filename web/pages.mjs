// The pages of the web app by kind: the list that the build prerenders, and that tests and lighthouse visit.
// Plain JavaScript, because `npm run bench -- lighthouse` imports it in whatever Node it is started with.

/** Pages of text, without any script file (decision page-weight). */
export const textPages = ['/', '/about-us', '/terms-and-conditions', '/privacy', '/accessibility']

/** Pages with a plain form, which have no script but the one that sends such forms (decision forms-before-scripts). */
export const plainFormPages = [
  '/contact-us',
  '/n',
  '/t',
  '/t/one', // every tag; the server sends it for whatever token
  '/r',
  '/answer',
]

/** Public pages with a form of the app. */
export const formPages = [
  '/login',
  '/signup',
  '/forgot-password',
  '/verify-email',
  '/reset-password',
  '/account-link',
  '/two-step',
  '/consent',
  '/appeal',
  '/suspended',
  '/admin/login',
]

/** Pages that search engines may list, in both languages; every other page has `noindex` in its head. */
export const listedPages = [...textPages, '/contact-us', '/login', '/signup', '/forgot-password']

/** Pages that the server or the service worker responds with; nothing links to them. */
export const responsePages = ['/contact-us/sent', '/n/opened', '/n/gone', '/404', '/offline']

/** @param {string} area */
const profilePages = (area) => ['', '/notifications', '/security', '/data'].map((part) => `${area}/profile${part}`)

/** Pages for signed-in users. */
export const ownerPages = [
  '/dashboard',
  '/dashboard/vehicles',
  '/dashboard/vehicles/one/dispute', // every vehicle; the server sends it for whatever id
  '/dashboard/vehicles/one/welcome',
  '/dashboard/vehicle/new',
  '/dashboard/messages',
  '/dashboard/message-copy',
  '/dashboard/windshield-tag',
  '/dashboard/collision-card',
  '/dashboard/notifications',
  ...profilePages('/dashboard'),
  '/send',
  '/send/collision',
  '/invite',
]

/** Pages for admins. */
export const adminPages = [
  '/admin',
  '/admin/users',
  '/admin/user',
  '/admin/vehicles',
  '/admin/inbox',
  // every item of a kind; the server sends it for whatever id
  '/admin/inbox/dispute/one',
  '/admin/inbox/report/one',
  '/admin/inbox/appeal/one',
  '/admin/system',
  '/admin/system/audit-log',
  ...profilePages('/admin'),
]

/**
 * Returns the path of the French version of a page.
 *
 * @param {string} path of the page in English
 */
export const inFrench = (path) => (path === '/' ? '/fr' : `/fr${path}`)
