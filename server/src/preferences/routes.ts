import type { FastifyInstance, FastifyReply } from 'fastify'
import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { paths } from '#contract/paths.ts'
import * as contract from '#contract/preferences.ts'
import type { Locale } from '#contract/product.ts'
import { m } from '#texts/messages.js'
import type { AppContext } from '../context.ts'
import { formEndpoint } from '../http/form-post.ts'
import { renderMinimalPage, sendMinimalPage } from '../http/minimal-page.ts'
import { userRoute } from '../http/route.ts'
import { requestLocale } from '../locale.ts'
import { changePreferences, disableMessageMails, getMailLocale, getPreferences } from './queries.ts'
import { verifyUnsubscribeToken } from './unsubscribe-token.ts'

/** Registers what a person chooses about emails and quiet hours. */
export function preferenceRoutes(app: FastifyInstance, context: AppContext) {
  const { db, live, outbox } = context
  userRoute(app, contract.getPreferences, (_, { id }) => getPreferences(db, id))
  userRoute(app, contract.updatePreferences, async (change, { id }) => {
    const preferences = await changePreferences(db, id, change)
    // other quiet hours may end now: for the emails and the pushes they hold
    if (change.quiet_from !== undefined || change.time_zone !== undefined) {
      outbox.wake()
      live.publish([id])
    }
    return preferences
  })
  unsubscribeRoutes(app, context)
}

/** The page of `/unsubscribe/:token`: a valid link asks for confirmation; the emails are turned off; the link is none of ours. */
const UNSUBSCRIBE_PAGES = {
  question: {
    heading: m.unsubscribe_question_heading,
    text: m.unsubscribe_question_text,
    profile: m.unsubscribe_question_profile,
  },
  done: { heading: m.unsubscribe_done_heading, text: m.unsubscribe_done_text, profile: m.unsubscribe_done_profile },
  unknown: {
    heading: m.unsubscribe_unknown_heading,
    text: m.unsubscribe_unknown_text,
    profile: m.unsubscribe_unknown_profile,
  },
}
type UnsubscribeState = keyof typeof UNSUBSCRIBE_PAGES

/** Renders the page. Its form posts to the page's own address. */
function renderUnsubscribePage(state: UnsubscribeState, locale: Locale, publicUrl: string): string {
  const { heading, text, profile } = UNSUBSCRIBE_PAGES[state]
  const button = m.unsubscribe_button({}, { locale })
  const form = `<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button>${button}</button></form>`
  return renderMinimalPage(locale, publicUrl, {
    heading: heading({}, { locale }),
    text: text({}, { locale }),
    ...(state === 'question' && { form }),
    link: { text: profile({}, { locale }), path: paths.profile('notifications') },
  })
}

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
function unsubscribeRoutes(app: FastifyInstance, { config, db, keyring }: AppContext) {
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

    const post = { config: { endpoint: unsubscribe, takesForeignPosts: true } } as const
    scope.post<UnsubscribeRoute>(unsubscribe.path, post, async (request, reply) => {
      const userId = verifyUnsubscribeToken(keyring, request.params.token)
      if (userId === null) return send(reply, 404, 'unknown', requestLocale(request))
      const locale = await getMailLocale(db, userId)
      await disableMessageMails(db, userId)
      return send(reply, 200, 'done', locale)
    })
  })
}
