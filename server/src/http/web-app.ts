import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { sendError } from './errors.ts'
import { type Page, sendPage } from './pages.ts'

/** Below these no page can be: unknown addresses answer with JSON (design §3). */
const INTERFACE = /^\/(?:api|auth|rest|functions|storage|dev|assets)(?:\/|$)/
/** Pages the server answers with, which have no address of their own. */
const NOT_BY_ADDRESS = /^(?:\/fr)?\/(?:404|contact-us\/again)\/*$|\.html$/
const YEAR_S = 365 * 24 * 3600
/** What the service worker fetches is under the policy it came with itself (CSP level 3 §4.1). */
const WORKER_POLICY = "default-src 'none'; connect-src 'self'; img-src 'self'"

/**
 * The built web app: pages with their own content security policy, files precompressed, those with a hash in their
 * name cached for ever. Unknown addresses get the app's 404 page with status 404, and their path is logged (spec §2).
 *
 * @param root the build's folder, `client/` and `csp.json` in it
 * @param pages its pages (`readPages`)
 */
export async function webApp(app: FastifyInstance, root: string, pages: Map<string, Page>) {
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
      const forEver = path.replaceAll('\\', '/').includes('/assets/')
      reply.header('cache-control', forEver ? `public, max-age=${YEAR_S}, immutable` : 'no-cache')
      if (path.startsWith(worker)) reply.header('content-security-policy', WORKER_POLICY)
    },
  })

  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request.url)
    const reads = request.method === 'GET' || request.method === 'HEAD'
    if (path === null || !reads) return sendError(request, reply, 'not_found')
    if (files.has(path)) return reply.sendFile(path.slice(1))
    if (INTERFACE.test(path)) return sendError(request, reply, 'not_found')
    const page = pages.get(pageFile(path)) ?? pages.get(path)
    if (page && !NOT_BY_ADDRESS.test(path)) return sendPage(request, reply, 200, page)
    request.log.info({ path: path.slice(0, 200) }, 'page not found')
    return sendPage(request, reply, 404, /^\/fr(?:\/|$)/.test(path) ? french : english)
  })
}

/** Where the build has the page of a path, with or without slashes at its end. No pattern: one for this would take the square of a long path's length. */
export function pageFile(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end--
  return `${path.slice(0, end)}/index.html`
}

/** The path of an address, decoded; null when it cannot be read. */
function pathOf(url: string): string | null {
  try {
    return decodeURI(url.split('?')[0] ?? '/')
  } catch {
    return null
  }
}
