/** The product's name; the requirements write `{product}` for it (decision required-texts). */
export const PRODUCT = 'PlateNote'

/** The languages of the product; the first is the default (decision two-languages). */
export const LOCALES = ['en', 'fr-CA'] as const
export type Locale = (typeof LOCALES)[number]

/** A text of the catalogue that names nothing, as tables have them: not called, so that whoever shows it says the language. */
export type Text = (inputs: Record<string, never>, options: { locale: Locale }) => string

/** The languages as they are written in Canada (BCP 47), for `Intl`, `lang` and `hreflang`. */
export const LANGUAGE_TAGS = { en: 'en-CA', 'fr-CA': 'fr-CA' } as const satisfies Record<Locale, string>

/** The time zone of due dates (decision plate-disputes), of months in counts and of times in mails, wherever the reader is. */
export const TIME_ZONE = 'America/Toronto'
