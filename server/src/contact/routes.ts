import type { FastifyInstance } from 'fastify'
import { SERVICE_MAIL_TYPES, sendAnyEmail } from '#contract/service-mails.ts'
import { holdsKey } from '../auth/holds-key.ts'
import { openTransport } from '../email/transport.ts'
import { requestLocale } from '../http/errors.ts'
import type { Page } from '../http/pages.ts'
import { publicRoute } from '../http/route.ts'
import type { Parts } from '../parts.ts'
import { refuse } from '../refusal.ts'
import { postedFormRoutes } from './posted-form.ts'
import { sendServiceMail } from './send-service-mail.ts'
import { submitContact } from './submit-contact.ts'

const FOR_SERVICES = new Set<unknown>(SERVICE_MAIL_TYPES)

/**
 * `POST /send-email` (spec §7): the contact form for everybody; the other types for callers with SERVICE_KEY
 * (design decision 9), who are answered when the mail has left.
 *
 * @param pages the built pages, if the web app is served too
 */
export function contactRoutes(app: FastifyInstance, parts: Parts, pages?: Map<string, Page>) {
  const { config, db } = parts
  // apart from the worker's: whoever waits here does not wait for the outbox, nor the outbox for them
  const transport = openTransport(config, db)
  app.addHook('onClose', () => transport.close())

  void app.register(async (scope) => {
    // before the body is looked at: who may not learns nothing of what would be right
    scope.addHook('preHandler', async (request) => {
      const { type } = (request.body ?? {}) as { type?: unknown }
      if (FOR_SERVICES.has(type) && !holdsKey(request, config.SERVICE_KEY)) refuse('forbidden')
    })
    publicRoute(scope, sendAnyEmail, async (mail, { request }) => {
      const locale = requestLocale(request)
      if (mail.type === 'contact') await submitContact(parts, mail, { ip: request.ip, locale })
      else await sendServiceMail(parts, transport, mail, locale)
      return {}
    })
  })
  postedFormRoutes(app, parts, pages)
}
