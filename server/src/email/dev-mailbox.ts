import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isSendable } from '#contract/fields.ts'
import { paths } from '#contract/paths.ts'
import { isLocalHost } from '../config.ts'
import type { AppContext } from '../context.ts'
import { isUuid } from '../db/ids.ts'
import { escapeHtml } from '../html.ts'
import { renderMinimalPage, sendMinimalPage } from '../http/minimal-page.ts'
import { refuse } from '../refusal.ts'
import { type CapturedMail, findCapturedMail, listCapturedMails } from './captured-mails.ts'

const MAX_LISTED_MAILS = 200
const REFRESH_S = 5

// emails have inline styles, for mail programs; the page of one runs nothing and opens links in new tabs
const MAIL_CSP =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-popups allow-popups-to-escape-sandbox"

const renderList = (mails: readonly CapturedMail[]) =>
  `<ul>${mails
    .map(
      ({ id, to, subject, sent_at }) =>
        `<li><a href="/dev/mailbox/${id}">${escapeHtml(subject)}</a><br>to ${escapeHtml(to)}, ${sent_at}</li>`,
    )
    .join('')}</ul>`

const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']

/**
 * Returns whether a request was made on this machine, to this machine. The peer alone does not say so: a tunnel or a proxy
 * runs here as well, and so does the browser on a page whose name was pointed at 127.0.0.1 (DNS rebinding).
 */
function isFromThisMachine({ socket, headers }: FastifyRequest): boolean {
  const peer = socket.remoteAddress?.replace(/^::ffff:/, '') ?? ''
  const host = headers.host?.replace(/:\d*$/, '') ?? ''
  return isLocalHost(peer) && isLocalHost(host) && PROXY_HEADERS.every((name) => headers[name] === undefined)
}

/**
 * Registers `/dev/mailbox`, which shows captured mails (decision settings-and-commands), for development and tests. Registers nothing in
 * production or when emails are really sent: a reader of the mailbox can use the one-time links in it. For the same reason it
 * exists for requests from this machine only, regardless of HOST.
 */
export function registerDevMailbox(parent: FastifyInstance, context: AppContext) {
  if (context.config.production || context.config.SMTP_URL !== undefined) return
  void parent.register(async (app) => {
    app.addHook('onRequest', async (request) => {
      if (!isFromThisMachine(request)) refuse('not_found')
    })
    mailboxRoutes(app, context)
  })
}

function mailboxRoutes(app: FastifyInstance, { config, db }: AppContext) {
  app.get<{ Querystring: { to?: unknown } }>('/dev/mailbox.json', async ({ query: { to = null } }, reply) => {
    if (to !== null && (typeof to !== 'string' || !isSendable(to))) refuse('invalid_input')
    reply.header('cache-control', 'no-store')
    const mails = await listCapturedMails(db, to, MAX_LISTED_MAILS)
    return mails.map(({ id, to, subject, text, html, sent_at }) => ({ id, to, subject, text, html, sent_at }))
  })

  app.get('/dev/mailbox', async (_, reply) => {
    const page = renderMinimalPage('en', config.PUBLIC_URL, {
      heading: 'Mailbox',
      text: 'The emails that would have been sent. They are kept here because no SMTP_URL is set. New ones appear by themselves.',
      form: renderList(await listCapturedMails(db, null, MAX_LISTED_MAILS)),
      link: { text: 'To the front page', path: paths.home() },
    })
    return sendMinimalPage(reply.header('refresh', REFRESH_S), 200, page)
  })

  app.get<{ Params: { id: string } }>('/dev/mailbox/:id', async ({ params: { id } }, reply) => {
    const { html } = (isUuid(id) ? await findCapturedMail(db, id) : null) ?? refuse('not_found')
    reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('content-security-policy', MAIL_CSP)
    // links open outside of the email, as in mail programs
    return html.replaceAll('<a ', '<a target="_blank" rel="noopener" ')
  })
}
