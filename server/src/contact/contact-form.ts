import type { FastifyInstance } from 'fastify'
import { ContactForm } from '#contract/contact.ts'
import { localizedPath, paths } from '#contract/paths.ts'
import type { AppContext } from '../context.ts'
import { describeRefusal, sendRefusedForm, typedSlots } from '../http/form-page.ts'
import { formRoutes, readFields } from '../http/form-post.ts'
import { parseInput } from '../http/route.ts'
import type { StaticPage } from '../http/static-pages.ts'
import { submitContact } from './submit-contact.ts'

/**
 * Four times the largest form that is accepted (5,000 characters of four bytes each, three characters a byte), so that
 * a message somewhat too long comes back with its text. Anything larger is not read.
 */
const FORM_MAX_BYTES = 256 * 1024

const FIELDS = ['name', 'email', 'subject', 'message'] as const

/**
 * Registers the contact form as browsers post it: `POST /contact-us` and `POST /fr/contact-us`. An
 * accepted one leads to the page that says so; any other, whatever is wrong, gets the form again with what was typed,
 * in the page's language; of a body that was not read (too large, or no form) the form is empty.
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
        const typed = readFields(request, FIELDS)
        const slots = { ...typedSlots(typed), ...describeRefusal(refusal, locale) }
        sendRefusedForm(reply, refusal, page, slots, [typed.subject])
      },
    })
  })
}
