import { PRODUCT } from '#contract/product.ts'

/**
 * What pages say of the site they stand on. A build fits every installation: what is written holds a placeholder, the
 * server puts its own settings there (server/src/http/template.ts), and scripts read them from the page's head.
 */
const DEFAULTS = {
  /** Origin of every full address. Not the one in the address bar: what is canonical is the same on all of them. */
  PUBLIC_URL: 'http://localhost:3000',
  /** Where people write to for help, and where owners send proof in a dispute over a plate. */
  SUPPORT_EMAIL: 'support@platenote.ca',
  /** Name of the person in charge of personal information (Quebec); may be empty. */
  PRIVACY_OFFICER: '',
  /** Where that person is reached. */
  PRIVACY_EMAIL: 'support@platenote.ca',
  /** The company's name in law. */
  MAIL_SENDER_NAME: PRODUCT,
  /** Its postal address; may be empty. */
  MAIL_POSTAL_ADDRESS: '',
}
type Setting = keyof typeof DEFAULTS

const metaName = (setting: Setting) => `site:${setting.toLowerCase().replaceAll('_', '-')}`

/** The value of a setting on this page. */
export function siteSetting(setting: Setting): string {
  if (import.meta.env.SSR) return import.meta.env.PROD ? `%${setting}%` : DEFAULTS[setting]
  const meta = document.querySelector<HTMLMetaElement>(`meta[name="${metaName(setting)}"]`)
  return meta?.content ?? DEFAULTS[setting]
}

/** The head's copy of every setting, which `site` reads where scripts run. */
export const siteMeta = () =>
  (Object.keys(DEFAULTS) as Setting[]).map((setting) => ({ name: metaName(setting), content: siteSetting(setting) }))

/** The full address of a path of this site, as search engines and other sites need it. */
export const absoluteUrl = (path: string): string => siteSetting('PUBLIC_URL') + path

/** As `absoluteUrl`, encoded for the query of another address. */
export const encodedUrl = (path: string): string =>
  import.meta.env.SSR && import.meta.env.PROD
    ? `%PUBLIC_URL_ENCODED%${encodeURIComponent(path)}`
    : encodeURIComponent(absoluteUrl(path))

/** A link that begins a mail to the support address. */
export const supportMailto = (subject: string): string =>
  `mailto:${siteSetting('SUPPORT_EMAIL')}?subject=${encodeURIComponent(subject)}`
