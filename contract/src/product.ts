/** The product's name, wherever the specification writes `{product}` (decision 0068). */
export const PRODUCT = 'PlateNote'

/** The languages of the product; the first is the default (decision 0066). */
export const LOCALES = ['en', 'fr-CA'] as const
export type Locale = (typeof LOCALES)[number]
