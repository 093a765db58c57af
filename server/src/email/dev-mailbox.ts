import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isSendable } from '#contract/fields.ts'
import { PRODUCT } from '#contract/product.ts'
import { isLocalHost } from '../config.ts'
import type { AppContext } from '../context.ts'
import { escapeHtml } from '../html.ts'
import { refuse } from '../refusal.ts'
import { type CapturedMail, findCapturedMail, listCapturedMails } from './captured-mails.ts'

const MAX_LISTED_MAILS = 200
const REFRESH_S = 5
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const STYLE = `
:root { color-scheme: light dark; --paper: light-dark(#faf8f2, #0e1512); --surface: light-dark(#fff, #16201b);
  --ink: light-dark(#14231c, #edf1ea); --soft: light-dark(#4b5951, #a8b5ad); --line: light-dark(#e0dccf, #2a3730);
  --pine: light-dark(#1d5540, #93d3b4); }
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 Overpass, system-ui, sans-serif; }
main { max-width: 56rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h1 { font-size: 1.6rem; margin: 0 0 .25rem; overflow-wrap: anywhere; }
p { margin: 0 0 1.5rem; color: var(--soft); }
a { color: var(--pine); }
ul { list-style: none; margin: 0; padding: 0; border: 1px solid var(--line); border-radius: 12px; background: var(--surface); overflow: hidden; }
li + li { border-top: 1px solid var(--line); }
li a { display: grid; gap: .1rem; padding: .9rem 1.1rem; color: inherit; text-decoration: none; overflow-wrap: anywhere; }
li a:hover, li a:focus-visible { background: var(--paper); }
strong { font-size: 1.05rem; }
small, dt { color: var(--soft); font-size: .9rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: 0 0 1.5rem; }
dd { margin: 0; overflow-wrap: anywhere; }
iframe { width: 100%; height: 75vh; border: 1px solid var(--line); border-radius: 12px; background: var(--surface); }
summary { cursor: pointer; padding: .75rem 0; color: var(--pine); }
pre { white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid var(--line); border-radius: 12px; background: var(--surface); padding: 1rem; margin: 0 0 1rem; font-size: .95rem; }
`
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')
const PAGE_CSP = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
// emails have inline styles, for mail programs; the page of one runs nothing and opens links in new tabs
const MAIL_CSP =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox"

const renderPage = (title: string, refresh: boolean, body: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${refresh ? `<meta http-equiv="refresh" content="${REFRESH_S}">` : ''}
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body><main>${body}</main></body>
</html>
`

const formatTime = (iso: string) => iso.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')

const renderListPage = (publicUrl: string, mails: readonly CapturedMail[]) =>
  renderPage(
    `Mailbox · ${PRODUCT}`,
    true,
    `<h1>Mailbox</h1>
<p>The e-mails ${PRODUCT} at <a href="${escapeHtml(publicUrl)}">${escapeHtml(publicUrl)}</a> would have sent. They are kept here because no
SMTP_URL is set. New ones appear by themselves.</p>
${
  mails.length === 0
    ? '<p>No e-mail yet. Sign up for an account and its confirmation appears here.</p>'
    : `<ul>${mails
        .map(
          ({ id, to, subject, sent_at }) =>
            `<li><a href="/dev/mailbox/${id}"><strong>${escapeHtml(subject)}</strong><small>to ${escapeHtml(to)} · <time datetime="${sent_at}">${formatTime(sent_at)}</time></small></a></li>`,
        )
        .join('')}</ul>`
}`,
  )

const renderMailPage = ({ id, to, subject, text, headers, sent_at }: CapturedMail) =>
  renderPage(
    `${subject} · Mailbox`,
    false,
    `<p><a href="/dev/mailbox">← Mailbox</a></p>
<h1>${escapeHtml(subject)}</h1>
<dl><dt>To</dt><dd>${escapeHtml(to)}</dd><dt>Sent</dt><dd>${formatTime(sent_at)}</dd></dl>
<iframe title="The e-mail" src="/dev/mailbox/${id}/html" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>
<details><summary>Plain text</summary><pre>${escapeHtml(text)}</pre></details>
<details><summary>Headers</summary><pre>${escapeHtml(
      Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}`)
        .join('\n'),
    )}</pre></details>`,
  )

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

const setHeaders = (reply: FastifyReply, policy: string) =>
  reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').header('content-security-policy', policy)

function mailboxRoutes(app: FastifyInstance, { config, db }: AppContext) {
  const requireMail = async (id: string) =>
    (UUID.test(id) ? await findCapturedMail(db, id) : null) ?? refuse('not_found')

  app.get<{ Querystring: { to?: unknown } }>('/dev/mailbox.json', async ({ query: { to = null } }, reply) => {
    if (to !== null && (typeof to !== 'string' || !isSendable(to))) refuse('invalid_input')
    reply.header('cache-control', 'no-store')
    const mails = await listCapturedMails(db, to, MAX_LISTED_MAILS)
    return mails.map(({ id, to, subject, text, html, sent_at }) => ({ id, to, subject, text, html, sent_at }))
  })

  app.get('/dev/mailbox', async (_, reply) => {
    setHeaders(reply, PAGE_CSP)
    return renderListPage(config.PUBLIC_URL, await listCapturedMails(db, null, MAX_LISTED_MAILS))
  })

  app.get<{ Params: { id: string } }>('/dev/mailbox/:id', async ({ params }, reply) => {
    const mail = await requireMail(params.id)
    setHeaders(reply, PAGE_CSP)
    return renderMailPage(mail)
  })

  app.get<{ Params: { id: string } }>('/dev/mailbox/:id/html', async ({ params }, reply) => {
    const { html } = await requireMail(params.id)
    setHeaders(reply, MAIL_CSP).header('x-frame-options', 'SAMEORIGIN')
    // links open outside of the email, as in mail programs
    return html.replaceAll('<a ', '<a target="_blank" rel="noopener" ')
  })
}
