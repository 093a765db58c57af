import type { Config } from '../config.ts'
import { escapeHtml } from '../html.ts'

/** Replaces the placeholders of a built page with the installation's values. */
export type TemplateFunction = (html: string) => string

/** Settings that the pages of the web app show (web/src/lib/page/site.ts names the same ones). */
type PageSettings = Pick<
  Config,
  'PUBLIC_URL' | 'SUPPORT_EMAIL' | 'PRIVACY_OFFICER' | 'PRIVACY_EMAIL' | 'MAIL_SENDER_NAME' | 'MAIL_POSTAL_ADDRESS'
>

/**
 * Returns the template function of an installation. One build fits every installation: its pages say `%SUPPORT_EMAIL%` where
 * the address goes. Values are escaped for HTML text and attributes (and XML); other names between per cent signs stay.
 */
export function makePageTemplate(settings: PageSettings): TemplateFunction {
  return makeTemplate({
    PUBLIC_URL: settings.PUBLIC_URL,
    // for the query of another site's URL
    PUBLIC_URL_ENCODED: encodeURIComponent(settings.PUBLIC_URL),
    SUPPORT_EMAIL: settings.SUPPORT_EMAIL,
    PRIVACY_OFFICER: settings.PRIVACY_OFFICER ?? '',
    PRIVACY_EMAIL: settings.PRIVACY_EMAIL ?? settings.SUPPORT_EMAIL,
    MAIL_SENDER_NAME: settings.MAIL_SENDER_NAME,
    MAIL_POSTAL_ADDRESS: settings.MAIL_POSTAL_ADDRESS ?? '',
  })
}

/** Returns a template function for values of any name (capitals and underscores). */
export function makeTemplate(values: Record<string, string>): TemplateFunction {
  // matches these names only: in `%C3%AA%PUBLIC_URL%` the placeholder starts at the third per cent sign
  const pattern = new RegExp(`%(${Object.keys(values).join('|')})%`, 'g')
  return (html) => html.replace(pattern, (_, name: string) => escapeHtml(values[name] ?? ''))
}

/** What is filled into a page with a plain form, by the names of its slots (web/src/lib/plain-form/slots.ts). */
export type Slots = Record<string, string>

const SLOT = /%FORM_([A-Z_]+)%/g

/** Fills in the slots of a page; what is not given is empty. */
export const fillSlots = (template: string, slots: Slots): string =>
  template.replace(SLOT, (_, name: string) => escapeHtml(slots[name] ?? ''))
