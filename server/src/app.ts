import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { deleteAccount } from './accounts/delete-account.ts'
import { accountRoutes } from './accounts/routes.ts'
import { adminRoutes } from './admin/routes.ts'
import { attachmentRoutes } from './attachments/routes.ts'
import { makeAuthenticate } from './auth/authenticate.ts'
import { authRoutes } from './auth/routes.ts'
import { contactRoutes } from './contact/routes.ts'
import { dashboardRoutes } from './dashboard/routes.ts'
import { newId } from './db/ids.ts'
import { mailboxRoutes } from './email/mailbox.ts'
import { handleErrors, sendError } from './http/errors.ts'
import { secure, securityHeaders } from './http/headers.ts'
import { healthRoutes } from './http/health.ts'
import { jsonBody } from './http/json-body.ts'
import { logRequests } from './http/log.ts'
import { openApiRoute } from './http/openapi.ts'
import { readPages } from './http/pages.ts'
import { placeholders } from './http/placeholders.ts'
import { limitRequests } from './http/request-limit.ts'
import { webApp } from './http/web-app.ts'
import { messageRoutes } from './messages/routes.ts'
import { notificationRoutes } from './notifications/routes.ts'
import type { Parts } from './parts.ts'
import { preferenceRoutes } from './preferences/routes.ts'
import { pushRoutes } from './push/routes.ts'
import { vehicleRoutes } from './vehicles/routes.ts'

const BODY_MAX_BYTES = 1024 * 1024
const REQUEST_WITHIN_MS = 60_000
const SWEEP_MS = 50

/**
 * The HTTP server, built from its parts and not listening yet.
 *
 * @param webRoot folder of the built web app; absent: the interface alone
 */
export async function buildApp(parts: Parts, webRoot?: string): Promise<FastifyInstance> {
  const { config, db, log } = parts
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: newId,
    bodyLimit: BODY_MAX_BYTES,
    requestTimeout: REQUEST_WITHIN_MS,
    // HEAD is not GET: a link scanner's HEAD must not do what the link does
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    // an address that cannot be decoded is refused before any hook has run
    frameworkErrors: (_, request, reply) =>
      void sendError(request, secure(request, reply, config.production), 'not_found'),
    ...(config.TRUST_PROXY && { trustProxy: config.TRUST_PROXY }),
  })
  app.decorateRequest('actor', null)
  securityHeaders(app, config.production)
  logRequests(app)
  jsonBody(app)
  handleErrors(app)
  const { authenticate, holderOf } = makeAuthenticate(parts)
  app.decorate('authenticate', limitRequests(app, config, holderOf, authenticate))
  closeIdleWhileStopping(app)
  healthRoutes(app, db)
  if (config.ROLE === 'worker') return withoutPages(app)

  openApiRoute(app, config.PUBLIC_URL)
  await authRoutes(app, parts, deleteAccount)
  accountRoutes(app, parts)
  preferenceRoutes(app, parts)
  vehicleRoutes(app, parts)
  messageRoutes(app, parts)
  await attachmentRoutes(app, parts)
  notificationRoutes(app, parts)
  pushRoutes(app, parts)
  dashboardRoutes(app, parts)
  adminRoutes(app, parts)
  const pages = webRoot === undefined ? undefined : readPages(webRoot, placeholders(config))
  contactRoutes(app, parts, pages)
  if (!config.production && !config.SMTP_URL) mailboxRoutes(app, parts)
  if (webRoot === undefined || !pages) return withoutPages(app)
  await webApp(app, webRoot, pages)
  return app
}

const withoutPages = (app: FastifyInstance) =>
  app.setNotFoundHandler((request, reply) => sendError(request, reply, 'not_found'))

/** A connection that was at work when the stop began would be kept open afterwards, and the stop would wait for it. */
function closeIdleWhileStopping(app: FastifyInstance) {
  app.addHook('preClose', async () => {
    const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS)
    app.server.once('close', () => clearInterval(sweep))
  })
}
