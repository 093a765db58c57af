import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Locale } from '#contract/product.ts'
import { requestLocale } from '../http/errors.ts'
import { PLAIN_PAGE_POLICY } from '../http/plain-page.ts'
import type { Parts } from '../parts.ts'
import { localeOf, stopMessageMails } from './queries.ts'
import { type Scene, unsubscribePage } from './unsubscribe-page.ts'
import { unsubscriber } from './unsubscribe-token.ts'

type Route = { Params: { token: string } }

/** What mail programs post is one short line (RFC 8058 §3.1). */
const BODY_MAX_BYTES = 4 * 1024

/**
 * `/unsubscribe/:token`: ends mails about new messages without a session. `GET` asks, and changes nothing: scanners open
 * every link of a mail. `POST` does it, from the page's button or from a mail program's own (RFC 8058); its body says
 * nothing that is not in the address. All tokens this server has not made get one answer.
 */
export function unsubscribeRoutes(app: FastifyInstance, { config, db, keyring }: Parts) {
  void app.register(async (scope) => {
    scope.addHook('onRequest', async (request) => app.countRequest(request))
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_MAX_BYTES }, async () => undefined)

    const send = (reply: FastifyReply, status: 200 | 404, scene: Scene, locale: Locale) =>
      reply
        .code(status)
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('content-security-policy', PLAIN_PAGE_POLICY)
        // the address is a key: it goes to no other site and into no search engine
        .header('referrer-policy', 'no-referrer')
        .header('x-robots-tag', 'noindex')
        .send(unsubscribePage(scene, locale, config.PUBLIC_URL))

    scope.get<Route>('/unsubscribe/:token', async (request, reply) => {
      const userId = unsubscriber(keyring, request.params.token)
      if (userId === null) return send(reply, 404, 'unknown', requestLocale(request))
      return send(reply, 200, 'question', await localeOf(db, userId))
    })

    scope.post<Route>('/unsubscribe/:token', async (request, reply) => {
      const userId = unsubscriber(keyring, request.params.token)
      if (userId === null) return send(reply, 404, 'unknown', requestLocale(request))
      const locale = await localeOf(db, userId)
      await stopMessageMails(db, userId)
      return send(reply, 200, 'done', locale)
    })
  })
}
