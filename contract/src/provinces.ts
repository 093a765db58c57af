import { m } from '#texts/messages.js'
import type { Locale, Text } from './product.ts'

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

const NAMES: Record<Province, Text> = {
  Alberta: m.province_alberta,
  'British Columbia': m.province_british_columbia,
  Manitoba: m.province_manitoba,
  'New Brunswick': m.province_new_brunswick,
  'Newfoundland and Labrador': m.province_newfoundland_and_labrador,
  'Nova Scotia': m.province_nova_scotia,
  Ontario: m.province_ontario,
  'Prince Edward Island': m.province_prince_edward_island,
  Quebec: m.province_quebec,
  Saskatchewan: m.province_saskatchewan,
}

/** Returns the name of a province in a language. */
export const provinceName = (province: Province, locale: Locale): string => NAMES[province]({}, { locale })
