import type { Locale } from './product.ts'

/** The provinces a vehicle can be registered in (requirements §9), as they are stored and sent. */
export const PROVINCES = [
  'Alberta',
  'British Columbia',
  'Manitoba',
  'New Brunswick',
  'Newfoundland and Labrador',
  'Nova Scotia',
  'Ontario',
  'Prince Edward Island',
  'Quebec',
  'Saskatchewan',
] as const

export type Province = (typeof PROVINCES)[number]

const FRENCH: Record<Province, string> = {
  Alberta: 'Alberta',
  'British Columbia': 'Colombie-Britannique',
  Manitoba: 'Manitoba',
  'New Brunswick': 'Nouveau-Brunswick',
  'Newfoundland and Labrador': 'Terre-Neuve-et-Labrador',
  'Nova Scotia': 'Nouvelle-Écosse',
  Ontario: 'Ontario',
  'Prince Edward Island': 'Île-du-Prince-Édouard',
  Quebec: 'Québec',
  Saskatchewan: 'Saskatchewan',
}

/** Returns the name of a province in a language. */
export const provinceName = (province: Province, locale: Locale): string =>
  ({ en: province, 'fr-CA': FRENCH[province] })[locale]
