import type { FastifyInstance } from 'fastify'
import { SERVICE_MAIL_TYPES, sendAnyEmail } from '#contract/service-mails.ts'
import { hasServiceKey } from '../auth/authenticate.ts'
import type { AppContext } from '../context.ts'
import { openTransport } from '../email/transport.ts'
import { publicRoute } from '../http/route.ts'
import type { StaticPage } from '../http/static-pages.ts'
import { requestLocale } from '../locale.ts'
import { refuse } from '../refusal.ts'
import { contactFormRoutes } from './contact-form.ts'
import { sendServiceMail } from './send-service-mail.ts'
import { submitContact } from './submit-contact.ts'

const SERVICE_TYPES = new Set<unknown>(SERVICE_MAIL_TYPES)

/**
 * Registers `POST /send-email` (requirements §7): the contact form for everybody; the other types for callers with
 * SERVICE_KEY (decision contact-form), who get the response once the email is sent.
 *
 * @param pages the built pages, if the web app is served too
 */
export function contactRoutes(app: FastifyInstance, context: AppContext, pages?: Map<string, StaticPage>) {
  const { config, db } = context
  // apart from the worker's: callers do not wait for the outbox, nor the outbox for them
  const transport = openTransport(config, db)
  app.addHook('onClose', () => transport.close())

  void app.register(async (scope) => {
    // before the body is validated: callers without the key must not learn what would be valid
    scope.addHook('preHandler', async (request) => {
      const { type } = (request.body ?? {}) as { type?: unknown }
      if (SERVICE_TYPES.has(type) && !hasServiceKey(request, config.SERVICE_KEY)) refuse('forbidden')
    })
    publicRoute(scope, sendAnyEmail, async (mail, { request }) => {
      const locale = requestLocale(request)
      if (mail.type === 'contact') await submitContact(context, mail, { ip: request.ip, locale })
      else await sendServiceMail(context, transport, mail, locale)
      return {}
    })
  })
  contactFormRoutes(app, context, pages)
}
