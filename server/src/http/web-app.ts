import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { localizedPath, paths } from '#contract/paths.ts'
import { requestLocale } from '../locale.ts'
import { DAY_S } from '../time.ts'
import { sendError } from './errors.ts'
import { type StaticPage, sendPage } from './static-pages.ts'

/** No page can be below these: unknown addresses get JSON (`docs/http-interface.md`). */
const API_PATHS = /^\/(?:api|auth|rest|functions|storage|dev|assets)(?:\/|$)/
/** Pages that the server sends itself and that have no address of their own. */
const INTERNAL_PAGES = /^(?:\/fr)?\/(?:404|n\/(?:opened|gone))\/*$|\.html$/
/** The id in the address of a page about one thing, such as a reported message; all of them are one built page. */
const ID_IN_PATH = /\/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?=\/|$)/
/** The same for the tag of a vehicle, whose page is known by its token. */
const TOKEN_AT_END = /^((?:\/fr)?\/t)\/[^/\s]+$/
/** Where browsers and other programs look for an icon unasked. */
const ICONS: Record<string, string> = {
  '/favicon.ico': '/icon-192.png',
  '/apple-touch-icon.png': '/icon-180.png',
  '/apple-touch-icon-precomposed.png': '/icon-180.png',
}
/** Where password managers look for the page that changes a password (W3C, A Well-Known URL for Changing Passwords). */
const CHANGE_PASSWORD = '/.well-known/change-password'
const YEAR_S = 365 * DAY_S
/** The policy of the service worker's own script also governs what it fetches (CSP level 3 §4.1). */
const SERVICE_WORKER_CSP = "default-src 'none'; connect-src 'self'; img-src 'self'"

/**
 * Serves the built web app: pages with their own content security policy, precompressed files, those with a hash in their
 * name cached forever. Unknown addresses get the app's 404 page with status 404, and their path is logged (requirements §2).
 *
 * @param root the folder of the build, with `client/` and `csp.json`
 * @param pages its pages (`loadPages`)
 * @param translate returns a page in the language its reader wants, where there is one page for several
 */
export async function registerWebApp(
  app: FastifyInstance,
  root: string,
  pages: Map<string, StaticPage>,
  translate: (request: FastifyRequest, page: StaticPage) => StaticPage,
) {
  const client = join(root, 'client')
  const worker = join(client, 'sw.js')
  const [english, french] = [pages.get('/404/index.html'), pages.get('/fr/404/index.html')]
  if (!english || !french) throw new Error('The build lacks its 404 pages.')
  // listed once, so that no request makes the server look for a file by a name the client chose
  const files = new Set(
    readdirSync(client, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.html'))
      .map((entry) => `/${relative(client, join(entry.parentPath, entry.name)).replaceAll('\\', '/')}`)
      .filter((path) => !pages.has(path)),
  )
  await app.register(fastifyStatic, {
    root: client,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const isImmutable = path.replaceAll('\\', '/').includes('/assets/')
      reply.header('cache-control', isImmutable ? `public, max-age=${YEAR_S}, immutable` : 'no-cache')
      if (path.startsWith(worker)) reply.header('content-security-policy', SERVICE_WORKER_CSP)
    },
  })

  const findPage = (path: string) => {
    if (INTERNAL_PAGES.test(path)) return undefined
    const file = pageFilePath(path)
    return (
      pages.get(file) ??
      pages.get(path) ??
      pages.get(pageFilePath(path.replace(ID_IN_PATH, '/one').replace(TOKEN_AT_END, '$1/one')))
    )
  }

  app.setNotFoundHandler((request, reply) => {
    const path = decodePath(request.url)
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (path === null || !isRead) return sendError(request, reply, 'not_found')
    const file = ICONS[path] ?? path
    if (files.has(file)) return reply.sendFile(file.slice(1))
    if (path === CHANGE_PASSWORD)
      return reply.redirect(localizedPath(paths.profile('security'), requestLocale(request)))
    if (API_PATHS.test(path)) return sendError(request, reply, 'not_found')
    const page = findPage(path)
    if (page) return sendPage(request, reply, 200, translate(request, page))
    const meant = meantPath(path)
    // what is a page of ours leads to no other site, and as it is one there is no second redirect
    if (findPage(meant)) return reply.redirect(encodeURI(meant) + request.url.slice(request.url.split('?')[0]!.length))
    request.log.info({ path: maskPath(path).slice(0, 200) }, 'page not found')
    return sendPage(request, reply, 404, /^\/fr(?:\/|$)/.test(path) ? french : english)
  })
}

/** A word as our own addresses have them; anything else may be somebody's address, plate or token. */
const PLAIN_SEGMENT = /^[a-z0-9-]{0,24}(?:\.html)?$/i
const HAS_MANY_DIGITS = /\d.*\d.*\d/

/** Hides the parts of an unknown path that may be about a person: a mistyped link would bring its secret into the log. */
const maskPath = (path: string): string =>
  path
    .split('/')
    .map((part) => (PLAIN_SEGMENT.test(part) && (part === '404' || !HAS_MANY_DIGITS.test(part)) ? part : '…'))
    .join('/')

/** Returns the file of a path's page in the build; trailing slashes are ignored. */
export const pageFilePath = (path: string): string => `${withoutTrailingSlashes(path)}/index.html`

/** Works without a regular expression, which would take time quadratic in the length of the path. */
function withoutTrailingSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end--
  return path.slice(0, end)
}

/**
 * Returns the path that somebody meant who typed it in capitals or with white space, or had it from another site's habits: `/en`,
 * `/index.html`.
 */
function meantPath(path: string): string {
  const trimmed = path
    .replace(/\s+/g, '')
    .replace(/^\/en(?=\/|$)/i, '')
    .replace(/\/index\.html$/i, '')
  const [, tag, token = ''] = /^((?:\/fr)?\/t)(\/[^/]+)$/i.exec(trimmed) ?? []
  const meant = tag === undefined ? trimmed.toLowerCase() : tag.toLowerCase() + token
  return withoutTrailingSlashes(meant) || '/'
}

/** Returns the decoded path of an address, or null when it cannot be decoded. */
function decodePath(url: string): string | null {
  try {
    return decodeURI(url.split('?')[0] ?? '/')
  } catch {
    return null
  }
}
