/** The product's name, wherever the specification writes `{product}` (design, head). */
export const PRODUCT = 'PlateNote'

/** The languages of the product; the first is the default (design decision 21). */
export const LOCALES = ['en', 'fr-CA'] as const
export type Locale = (typeof LOCALES)[number]
