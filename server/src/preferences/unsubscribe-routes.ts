import type { FastifyInstance, FastifyReply } from 'fastify'
import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import type { Locale } from '#contract/product.ts'
import type { AppContext } from '../context.ts'
import { formEndpoint } from '../http/form-post.ts'
import { sendMinimalPage } from '../http/minimal-page.ts'
import { requestLocale } from '../locale.ts'
import { disableMessageMails, getMailLocale } from './queries.ts'
import { renderUnsubscribePage, type UnsubscribeState } from './unsubscribe-page.ts'
import { verifyUnsubscribeToken } from './unsubscribe-token.ts'

type UnsubscribeRoute = { Params: { token: string } }

const askToUnsubscribe = endpoint({
  method: 'GET',
  path: '/unsubscribe/:token',
  audience: 'public',
  summary: 'Asks whether to end emails about messages. Changes nothing.',
  input: z.object({ token: z.string() }),
  output: z.string(),
  responseType: 'text/html',
})
const unsubscribe = formEndpoint('/unsubscribe/:token', 'Ends emails about messages (RFC 8058).', { token: z.string() })

/** Mail programs post one short line (RFC 8058 §3.1). */
const BODY_MAX_BYTES = 4 * 1024

/**
 * Registers `/unsubscribe/:token`, which turns emails about new messages off without a session. `GET` asks for
 * confirmation and changes nothing: scanners open every link of an email. `POST` does it, from the page's button or a
 * mail program's own (RFC 8058); its body is ignored, the address says everything. All invalid tokens get the same
 * response.
 */
export function unsubscribeRoutes(app: FastifyInstance, { config, db, keyring }: AppContext) {
  void app.register(async (scope) => {
    scope.addHook('onRequest', async (request) => app.countRequest(request))
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_MAX_BYTES }, async () => undefined)

    const send = (reply: FastifyReply, status: 200 | 404, state: UnsubscribeState, locale: Locale) =>
      sendMinimalPage(
        // the address is a key: no other site and no search engine may learn it
        reply.headers({ 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' }),
        status,
        renderUnsubscribePage(state, locale, config.PUBLIC_URL),
      )

    scope.get<UnsubscribeRoute>(
      askToUnsubscribe.path,
      { config: { endpoint: askToUnsubscribe } },
      async (request, reply) => {
        const userId = verifyUnsubscribeToken(keyring, request.params.token)
        if (userId === null) return send(reply, 404, 'unknown', requestLocale(request))
        return send(reply, 200, 'question', await getMailLocale(db, userId))
      },
    )

    scope.post<UnsubscribeRoute>(unsubscribe.path, { config: { endpoint: unsubscribe } }, async (request, reply) => {
      const userId = verifyUnsubscribeToken(keyring, request.params.token)
      if (userId === null) return send(reply, 404, 'unknown', requestLocale(request))
      const locale = await getMailLocale(db, userId)
      await disableMessageMails(db, userId)
      return send(reply, 200, 'done', locale)
    })
  })
}
