import type { FastifyInstance, FastifyReply } from 'fastify'
import { ContactForm } from '#contract/contact.ts'
import { ERROR_STATUS } from '#contract/errors.ts'
import { localizedPath, paths } from '#contract/paths.ts'
import type { Locale } from '#contract/product.ts'
import { m } from '#texts/messages.js'
import type { AppContext } from '../context.ts'
import { describeRefusal, sendRefusedForm, typedSlots } from '../http/form-page.ts'
import { formRoutes, readFields } from '../http/form-post.ts'
import { renderMinimalPage, sendMinimalPage } from '../http/minimal-page.ts'
import { parseInput } from '../http/route.ts'
import type { StaticPage } from '../http/static-pages.ts'
import type { Refusal } from '../refusal.ts'
import { submitContact } from './submit-contact.ts'

/** Renders the page about a posted form that was never read: there is no text to give back. */
function renderUnreadableFormPage(reason: 'too_large' | 'unreadable', locale: Locale, publicUrl: string): string {
  return renderMinimalPage(locale, publicUrl, {
    heading: m.contact_unread_heading({}, { locale }),
    text: m[`contact_unread_${reason}`]({}, { locale }),
    link: { text: m.contact_unread_link({}, { locale }), path: paths.contact() },
  })
}

/**
 * Four times the largest form that is accepted (5,000 characters of four bytes each, three characters a byte), so that
 * a message somewhat too long comes back with its text. Anything larger is not read.
 */
const FORM_MAX_BYTES = 256 * 1024

const FIELDS = ['name', 'email', 'subject', 'message'] as const

/**
 * Registers the contact form as browsers post it: `POST /contact-us` and `POST /fr/contact-us`. An
 * accepted one leads to the page that says so; any other, whatever is wrong, gets the form again with what was typed,
 * in the page's language. A body that was not read (too large, or no form) gets a page that does not claim to have kept
 * it.
 *
 * @param pages the built pages, if the web app is served too
 */
export function contactFormRoutes(app: FastifyInstance, context: AppContext, pages?: Map<string, StaticPage>) {
  // a caller over the limit gets back what was typed
  formRoutes(app, FORM_MAX_BYTES, pages, (route, findPage, locale) => {
    const page = findPage(paths.contact())
    route({
      path: paths.contact(),
      summary: 'The contact form.',
      fields: ContactForm.shape,
      status: 303,
      async handle(request, reply) {
        const form = parseInput(ContactForm, readFields(request, FIELDS))
        await submitContact(context, form, { ip: request.ip, locale })
        return reply.header('cache-control', 'no-store').redirect(localizedPath(paths.contactSent(), locale), 303)
      },
      sendRefusal(refusal, request, reply) {
        if (request.body instanceof URLSearchParams) {
          const typed = readFields(request, FIELDS)
          const slots = { ...typedSlots(typed), ...describeRefusal(refusal, locale) }
          sendRefusedForm(reply, refusal, page, slots, [typed.subject])
        } else sendUnreadableFormPage(refusal, locale, context.config.PUBLIC_URL, reply)
      },
    })
  })
}

const sendUnreadableFormPage = ({ code }: Refusal, locale: Locale, publicUrl: string, reply: FastifyReply) =>
  sendMinimalPage(
    reply,
    ERROR_STATUS[code],
    renderUnreadableFormPage(code === 'too_large' ? 'too_large' : 'unreadable', locale, publicUrl),
  )
