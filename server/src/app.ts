import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { adminRoutes } from './admin/routes.ts'
import { attachmentRoutes } from './attachments/routes.ts'
import { createAuthenticator } from './auth/authenticate.ts'
import { authRoutes } from './auth/protocol/routes.ts'
import { contactRoutes } from './contact/routes.ts'
import type { AppContext } from './context.ts'
import { dashboardRoutes } from './dashboard/routes.ts'
import { newId } from './db/ids.ts'
import { registerDevMailbox } from './email/dev-mailbox.ts'
import { registerErrorHandler, sendError } from './http/errors.ts'
import { healthRoutes } from './http/health.ts'
import { registerJsonParser } from './http/json-body.ts'
import { openApiRoute } from './http/openapi.ts'
import { registerRequestLog } from './http/request-log.ts'
import { registerSecurityHeaders, setSecurityHeaders } from './http/security-headers.ts'
import { loadPages } from './http/static-pages.ts'
import { makePageTemplate } from './http/template.ts'
import { registerWebApp } from './http/web-app.ts'
import { registerRequestLimits } from './limits/request-limit-hook.ts'
import { messageRoutes } from './messages/routes.ts'
import { notificationRoutes } from './notifications/routes.ts'
import { preferenceRoutes } from './preferences/routes.ts'
import { deleteAccount } from './profile/delete-account.ts'
import { profileRoutes } from './profile/routes.ts'
import { pushRoutes } from './push/routes.ts'
import { MINUTE_MS } from './time.ts'
import { vehicleRoutes } from './vehicles/routes.ts'

const BODY_MAX_BYTES = 1024 * 1024
const REQUEST_TIMEOUT_MS = MINUTE_MS
const IDLE_SWEEP_INTERVAL_MS = 50

/**
 * Builds the HTTP server, which does not listen yet.
 *
 * @param webRoot the folder of the built web app, or undefined to serve the API alone
 */
export async function buildApp(context: AppContext, webRoot?: string): Promise<FastifyInstance> {
  const { config, db, log } = context
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: newId,
    bodyLimit: BODY_MAX_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // HEAD must not act as GET: a link scanner's HEAD would do what the link does
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    // an address that cannot be decoded is refused before any hook runs
    frameworkErrors: (_, request, reply) =>
      void sendError(request, setSecurityHeaders(request, reply, config.production), 'not_found'),
    ...(config.TRUST_PROXY && { trustProxy: config.TRUST_PROXY }),
  })
  app.decorateRequest('actor', null)
  registerSecurityHeaders(app, config.production)
  registerRequestLog(app)
  registerJsonParser(app)
  registerErrorHandler(app)
  const { authenticate, getTokenOwner } = createAuthenticator(context)
  app.decorate('authenticate', registerRequestLimits(app, config, getTokenOwner, authenticate))
  closeIdleConnectionsOnShutdown(app)
  healthRoutes(app, db)
  if (config.ROLE === 'worker') return serveApiOnly(app)

  openApiRoute(app, config.PUBLIC_URL)
  await authRoutes(app, context, deleteAccount)
  profileRoutes(app, context)
  preferenceRoutes(app, context)
  vehicleRoutes(app, context)
  messageRoutes(app, context)
  await attachmentRoutes(app, context)
  notificationRoutes(app, context)
  pushRoutes(app, context)
  dashboardRoutes(app, context)
  adminRoutes(app, context)
  const pages = webRoot === undefined ? undefined : loadPages(webRoot, makePageTemplate(config))
  contactRoutes(app, context, pages)
  if (!config.production && !config.SMTP_URL) registerDevMailbox(app, context)
  if (webRoot === undefined || !pages) return serveApiOnly(app)
  await registerWebApp(app, webRoot, pages)
  return app
}

const serveApiOnly = (app: FastifyInstance) =>
  app.setNotFoundHandler((request, reply) => sendError(request, reply, 'not_found'))

/** Closes connections as they become idle: one that was busy when the stop began would stay open, and the stop would wait for it. */
function closeIdleConnectionsOnShutdown(app: FastifyInstance) {
  app.addHook('preClose', async () => {
    const sweep = setInterval(() => app.server.closeIdleConnections(), IDLE_SWEEP_INTERVAL_MS)
    app.server.once('close', () => clearInterval(sweep))
  })
}
