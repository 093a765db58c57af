import { PRODUCT } from '#contract/product.ts'

/**
 * The settings of the installation that pages show. One build serves every installation: prerendered pages hold
 * placeholders, which the server replaces by its settings (server/src/http/template.ts); scripts read them from the head.
 */
const DEFAULTS = {
  /** Origin of every full URL. Not the one in the address bar: canonical URLs are the same on every origin. */
  PUBLIC_URL: 'http://localhost:3000',
  /** Address for help, and for the documents of owners in a dispute over a plate. */
  SUPPORT_EMAIL: 'support@platenote.ca',
  /** Name of the person in charge of personal information (Quebec); may be empty. */
  PRIVACY_OFFICER: '',
  /** Address of that person. */
  PRIVACY_EMAIL: 'support@platenote.ca',
  /** The company's legal name. */
  MAIL_SENDER_NAME: PRODUCT,
  /** Its postal address; may be empty. */
  MAIL_POSTAL_ADDRESS: '',
}
type Setting = keyof typeof DEFAULTS

const metaName = (setting: Setting) => `site:${setting.toLowerCase().replaceAll('_', '-')}`

/** Returns the value of a setting on this page. */
export function siteSetting(setting: Setting): string {
  if (import.meta.env.SSR) return import.meta.env.PROD ? `%${setting}%` : DEFAULTS[setting]
  const meta = document.querySelector<HTMLMetaElement>(`meta[name="${metaName(setting)}"]`)
  return meta?.content ?? DEFAULTS[setting]
}

/** Returns the head's meta elements with every setting, which `siteSetting` reads in the browser. */
export const siteMeta = () =>
  (Object.keys(DEFAULTS) as Setting[]).map((setting) => ({ name: metaName(setting), content: siteSetting(setting) }))

/** Returns the full URL of a path of this site, for search engines and other sites. */
export const absoluteUrl = (path: string): string => siteSetting('PUBLIC_URL') + path

/** Returns the same as `absoluteUrl`, encoded for the query of another URL. */
export const encodedUrl = (path: string): string =>
  import.meta.env.SSR && import.meta.env.PROD
    ? `%PUBLIC_URL_ENCODED%${encodeURIComponent(path)}`
    : encodeURIComponent(absoluteUrl(path))

/** Returns a link that starts an email to the support address. */
export const supportMailto = (subject: string): string =>
  `mailto:${siteSetting('SUPPORT_EMAIL')}?subject=${encodeURIComponent(subject)}`
