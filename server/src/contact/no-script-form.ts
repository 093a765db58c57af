import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ContactForm } from '#contract/contact.ts'
import { CONTACT_SUBJECTS, type ContactSubject } from '#contract/contact-subjects.ts'
import { ERROR_STATUS } from '#contract/errors.ts'
import { localizedPath, paths } from '#contract/paths.ts'
import { LOCALES, type Locale } from '#contract/product.ts'
import type { AppContext } from '../context.ts'
import { refusalMessage, setRetryAfter, toRefusal } from '../http/errors.ts'
import { fieldTexts } from '../http/field-texts.ts'
import { acceptForms, formEndpoint, formFields } from '../http/form-post.ts'
import { renderMinimalPage, sendMinimalPage } from '../http/minimal-page.ts'
import { parseInput } from '../http/route.ts'
import type { StaticPage } from '../http/static-pages.ts'
import { makeTemplate } from '../http/template.ts'
import type { Refusal } from '../refusal.ts'
import { submitContact } from './submit-contact.ts'

/** The submitted values, unchanged; a missing field is empty. */
type FormValues = { name: string; email: string; subject: string; message: string }

/** The built pages with a form whose fields are placeholders. */
const FORM_ERROR_PAGE_FILES = {
  en: '/contact-us/again/index.html',
  'fr-CA': '/fr/contact-us/again/index.html',
} as const

/** Renders the contact form again, with what was typed and what is wrong with it. */
function renderFormErrorPage(
  page: StaticPage,
  values: FormValues,
  error: string,
  fieldErrors: Record<string, string>,
): string {
  const fill = makeTemplate({
    CONTACT_NAME: values.name,
    CONTACT_EMAIL: values.email,
    CONTACT_MESSAGE: values.message,
    CONTACT_ERROR: error,
    CONTACT_NAME_ERROR: fieldErrors['name'] ?? '',
    CONTACT_EMAIL_ERROR: fieldErrors['email'] ?? '',
    CONTACT_SUBJECT_ERROR: fieldErrors['subject'] ?? '',
    CONTACT_MESSAGE_ERROR: fieldErrors['message'] ?? '',
  })
  const html = page.plain.toString()
  const selectedOption = CONTACT_SUBJECTS.includes(values.subject as ContactSubject)
    ? `value="${values.subject}"`
    : null
  // selected before anything typed is filled in
  return fill(selectedOption === null ? html : html.replace(selectedOption, `${selectedOption} selected=""`))
}

const TEXTS = {
  en: {
    heading: 'Your message wasn’t sent',
    too_large:
      'It’s too long, so we couldn’t keep it. A message can have at most 5,000 characters. Go back in your browser to shorten it, or start again.',
    unreadable: 'We couldn’t read what your browser sent, so we couldn’t keep it. Please use our contact form.',
    link: 'Go to the contact form',
  },
  'fr-CA': {
    heading: 'Votre message n’a pas été envoyé',
    too_large:
      'Il est trop long, et nous ne l’avons pas conservé. Un message peut compter au plus 5 000 caractères. Revenez en arrière dans votre navigateur pour le raccourcir, ou recommencez.',
    unreadable:
      'Nous n’avons pas pu lire ce que votre navigateur a envoyé, et nous ne l’avons pas conservé. Veuillez utiliser notre formulaire.',
    link: 'Aller au formulaire',
  },
} as const satisfies Record<Locale, Record<string, string>>

/** Renders the page about a posted form that was never read: there is no text to give back. */
function renderUnreadableFormPage(reason: 'too_large' | 'unreadable', locale: Locale, publicUrl: string): string {
  const { heading, [reason]: text, link } = TEXTS[locale]
  return renderMinimalPage(locale, publicUrl, { heading, text, link: { text: link, path: paths.contact() } })
}

/**
 * Four times the largest form that is accepted (5,000 characters of four bytes each, three characters a byte), so that
 * a message somewhat too long comes back with its text. Anything larger is not read.
 */
const FORM_MAX_BYTES = 256 * 1024

const readFormValues = (request: FastifyRequest): FormValues => {
  const form = formFields(request)
  const field = (name: string) => form.get(name) ?? ''
  return { name: field('name'), email: field('email'), subject: field('subject'), message: field('message') }
}

/**
 * Registers the contact form as browsers post it without scripts: `POST /contact-us` and `POST /fr/contact-us`. An
 * accepted one leads to the page that says so; any other, whatever is wrong, gets the form again with what was typed,
 * in the page's language. A body that was not read (too large, or no form) gets a page that does not claim to have kept
 * it.
 *
 * @param pages the built pages; without them (no web app) refusals are JSON
 */
export function noScriptFormRoutes(
  app: FastifyInstance,
  context: AppContext,
  pages: Map<string, StaticPage> | undefined,
) {
  void app.register(async (scope) => {
    acceptForms(scope, FORM_MAX_BYTES) // a caller over the limit gets back what was typed
    for (const locale of LOCALES) {
      const page = pages?.get(FORM_ERROR_PAGE_FILES[locale])
      if (pages && !page) throw new Error(`The build lacks ${FORM_ERROR_PAGE_FILES[locale]}.`)
      const url = localizedPath(paths.contact(), locale)
      scope.route({
        method: 'POST',
        url,
        config: { endpoint: formEndpoint(url, 'The contact form, without scripts.', ContactForm.shape, 303) },
        handler: async (request, reply) => {
          const form = parseInput(ContactForm, readFormValues(request))
          await submitContact(context, form, { ip: request.ip, locale })
          return reply.header('cache-control', 'no-store').redirect(localizedPath(paths.contactSent(), locale), 303)
        },
        ...(page && {
          errorHandler: (error, request, reply) => {
            const refusal = toRefusal(request, error)
            if (request.body instanceof URLSearchParams) sendFormErrorPage(refusal, page, locale, request, reply)
            else sendUnreadableFormPage(refusal, locale, context.config.PUBLIC_URL, reply)
          },
        }),
      })
    }
  })
}

function sendFormErrorPage(
  refusal: Refusal,
  page: StaticPage,
  locale: Locale,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { retryAfterS, fields = {} } = refusal.details
  setRetryAfter(reply, retryAfterS)
  return reply
    .code(ERROR_STATUS[refusal.code])
    .header('cache-control', 'no-store')
    .header('content-security-policy', page.policy)
    .type(page.type)
    .send(
      renderFormErrorPage(page, readFormValues(request), refusalMessage(refusal, locale), fieldTexts(fields, locale)),
    )
}

const sendUnreadableFormPage = ({ code }: Refusal, locale: Locale, publicUrl: string, reply: FastifyReply) =>
  sendMinimalPage(
    reply,
    ERROR_STATUS[code],
    renderUnreadableFormPage(code === 'too_large' ? 'too_large' : 'unreadable', locale, publicUrl),
  )
