import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { DAY_S } from '../time.ts'
import { sendError } from './errors.ts'
import { type StaticPage, sendPage } from './static-pages.ts'

/** Below these no page can be: unknown addresses answer with JSON (decision 0031). */
const API_PATHS = /^\/(?:api|auth|rest|functions|storage|dev|assets)(?:\/|$)/
/** Pages the server answers with, which have no address of their own. */
const INTERNAL_PAGES = /^(?:\/fr)?\/(?:404|contact-us\/again)\/*$|\.html$/
const YEAR_S = 365 * DAY_S
/** What the service worker fetches is under the policy it came with itself (CSP level 3 §4.1). */
const SERVICE_WORKER_CSP = "default-src 'none'; connect-src 'self'; img-src 'self'"

/**
 * The built web app: pages with their own content security policy, files precompressed, those with a hash in their
 * name cached for ever. Unknown addresses get the app's 404 page with status 404, and their path is logged (requirements §2).
 *
 * @param root the build's folder, `client/` and `csp.json` in it
 * @param pages its pages (`loadPages`)
 */
export async function registerWebApp(app: FastifyInstance, root: string, pages: Map<string, StaticPage>) {
  const client = join(root, 'client')
  const worker = join(client, 'sw.js')
  const [english, french] = [pages.get('/404/index.html'), pages.get('/fr/404/index.html')]
  if (!english || !french) throw new Error('The build lacks its 404 pages.')
  // listed once: a request never makes the server look for a file by a name it was given
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

  app.setNotFoundHandler((request, reply) => {
    const path = decodePath(request.url)
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (path === null || !isRead) return sendError(request, reply, 'not_found')
    if (files.has(path)) return reply.sendFile(path.slice(1))
    if (API_PATHS.test(path)) return sendError(request, reply, 'not_found')
    const page = pages.get(pageFilePath(path)) ?? pages.get(path)
    if (page && !INTERNAL_PAGES.test(path)) return sendPage(request, reply, 200, page)
    request.log.info({ path: path.slice(0, 200) }, 'page not found')
    return sendPage(request, reply, 404, /^\/fr(?:\/|$)/.test(path) ? french : english)
  })
}

/** Where the build has the page of a path, with or without slashes at its end. No pattern: one for this would take the square of a long path's length. */
export function pageFilePath(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end--
  return `${path.slice(0, end)}/index.html`
}

/** The path of an address, decoded; null when it cannot be read. */
function decodePath(url: string): string | null {
  try {
    return decodeURI(url.split('?')[0] ?? '/')
  } catch {
    return null
  }
}
