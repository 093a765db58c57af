import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { adminRoutes } from './admin/routes.ts'
import { createImageProcesses } from './attachments/image-processes.ts'
import { attachmentRoutes } from './attachments/routes.ts'
import { accountLinkRoutes } from './auth/account-links.ts'
import { createAuthenticator } from './auth/authenticate.ts'
import { emailChangeRoutes } from './auth/email-change.ts'
import { authRoutes } from './auth/protocol/routes.ts'
import { blockRoutes } from './blocks/routes.ts'
import { consentRoutes } from './consent/consent.ts'
import { contactRoutes } from './contact/routes.ts'
import type { AppContext } from './context.ts'
import { dashboardRoutes } from './dashboard/routes.ts'
import { documentRoutes } from './documents/routes.ts'
import { registerDevMailbox } from './email/dev-mailbox.ts'
import { adminHealthRoutes } from './health/routes.ts'
import { registerAdmission } from './http/admission.ts'
import { closeConnectionsOnShutdown, registerDrain } from './http/drain.ts'
import { registerErrorHandler, sendError } from './http/errors.ts'
import { healthRoutes } from './http/health.ts'
import { createHttpServerFactory } from './http/http-server.ts'
import { collectEndpoints, openApiRoute } from './http/openapi.ts'
import { refuseOtherSites } from './http/own-site.ts'
import { registerJsonParser } from './http/route.ts'
import { newRequestId, registerSecurityHeaders, setSecurityHeaders } from './http/security-headers.ts'
import { securityTxtRoute } from './http/security-txt.ts'
import { registerRequestLog, registerSentResponses } from './http/sent-responses.ts'
import { loadPages } from './http/static-pages.ts'
import { makePageTemplate } from './http/template.ts'
import { registerWebApp } from './http/web-app.ts'
import { registerWorkClass } from './http/work-class.ts'
import { inboundMailRoute } from './inbound-mail/receive-mail.ts'
import { inboxRoutes } from './inbox/routes.ts'
import { registerRequestLimits } from './limits/request-limit-hook.ts'
import { messageRoutes } from './messages/routes.ts'
import { noteRoutes } from './notes/routes.ts'
import { notificationRoutes } from './notifications/routes.ts'
import { preferenceRoutes } from './preferences/routes.ts'
import { profileRoutes } from './profile/routes.ts'
import { proofOfWorkRoutes } from './proof-of-work/proof-of-work.ts'
import { pushRoutes } from './push/routes.ts'
import { reportRoutes } from './reports/report-message.ts'
import { sanctionRoutes } from './sanctions/make-appeal.ts'
import { guestPage } from './tags/guest-pages.ts'
import { tagRoutes } from './tags/routes.ts'
import { vehiclePeopleRoutes } from './vehicle-people/routes.ts'
import { vehicleRoutes } from './vehicles/routes.ts'

const BODY_MAX_BYTES = 1024 * 1024

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
    genReqId: newRequestId,
    bodyLimit: BODY_MAX_BYTES,
    serverFactory: createHttpServerFactory(config, log, context.patienceMs),
    // HEAD must not act as GET: a link scanner's HEAD would do what the link does
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    // a request that comes over an open connection after the listener has closed is still served, and its connection closed
    return503OnClosing: false,
    // an address that cannot be decoded is refused before any hook runs
    frameworkErrors: (_, request, reply) =>
      void sendError(request, setSecurityHeaders(request, reply, config.production), 'not_found'),
    ...(config.TRUST_PROXY && { trustProxy: config.TRUST_PROXY }),
  })
  app.decorateRequest('actor', null)
  registerDrain(app, config)
  registerWorkClass(app)
  registerSecurityHeaders(app, config.production)
  registerSentResponses(app)
  registerRequestLog(app)
  registerJsonParser(app)
  registerErrorHandler(app)
  refuseOtherSites(app, config.PUBLIC_URL)
  const { authenticate, getTokenOwner } = createAuthenticator(context)
  registerAdmission(app, config, getTokenOwner, context.patienceMs)
  app.decorate('authenticate', registerRequestLimits(app, config, getTokenOwner, authenticate))
  closeConnectionsOnShutdown(app)
  collectEndpoints(app)
  healthRoutes(app, db)
  if (config.ROLE === 'worker') return serveApiOnly(app)

  const pages = webRoot === undefined ? undefined : loadPages(webRoot, makePageTemplate(config))
  openApiRoute(app, config.PUBLIC_URL)
  securityTxtRoute(app, config)
  await authRoutes(app, context)
  emailChangeRoutes(app, context)
  accountLinkRoutes(app, context)
  profileRoutes(app, context)
  consentRoutes(app, context)
  preferenceRoutes(app, context)
  vehicleRoutes(app, context)
  vehiclePeopleRoutes(app, context)
  sanctionRoutes(app, context)
  messageRoutes(app, context, pages)
  blockRoutes(app, context)
  reportRoutes(app, context)
  noteRoutes(app, context, pages)
  const images = createImageProcesses(log, { timeoutMs: context.patienceMs })
  app.addHook('onClose', async () => images.close())
  await attachmentRoutes(app, context, images)
  await documentRoutes(app, context, images)
  await inboundMailRoute(app, context)
  notificationRoutes(app, context)
  pushRoutes(app, context)
  proofOfWorkRoutes(app, context)
  tagRoutes(app, context, pages)
  dashboardRoutes(app, context)
  adminRoutes(app, context)
  adminHealthRoutes(app, context)
  inboxRoutes(app, context)
  contactRoutes(app, context, pages)
  if (!config.production && !config.SMTP_URL) registerDevMailbox(app, context)
  if (webRoot === undefined || !pages) return serveApiOnly(app)
  await registerWebApp(app, webRoot, pages, guestPage)
  return app
}

const serveApiOnly = (app: FastifyInstance) =>
  app.setNotFoundHandler((request, reply) => sendError(request, reply, 'not_found'))
