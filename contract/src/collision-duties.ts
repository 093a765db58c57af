// chunk: collision-duties

import { m } from '#texts/messages.js'
import type { Locale, Text } from './product.ts'
import type { Province } from './provinces.ts'

/**
 * How far the duties of a province could be established: the text of the law was read, others report what it says, or
 * neither says what is to be done when the owner is absent.
 */
type DutyBasis = 'statute' | 'report' | 'open'

type ProvinceDuties = {
  statute: Text
  sections: string
  basis: DutyBasis
  /** What the screen says, in this order. */
  steps: readonly Text[]
}

/** When all sources were looked at. */
export const DUTIES_LOOKED_AT = '2026-11-23'

/**
 * The duties of somebody who hits a parked vehicle, by province (decision collision-messages). What
 * they rest on, and what a lawyer has to confirm, is in docs/legal-notes.md.
 * The first duty is the same everywhere (Criminal Code, R.S.C. 1985, c. C-46, s. 320.16:
 * stop, give name and address, help). `duty_ask_the_police` stands where it could not be established what is to be done when the owner
 * is absent; it does no harm anywhere.
 */
export const COLLISION_DUTIES: Record<Province, ProvinceDuties> = {
  Alberta: {
    statute: m.statute_alberta,
    sections: '69, 71',
    basis: 'report',
    steps: [m.duty_alberta_1, m.duty_report_serious],
  },
  'British Columbia': {
    statute: m.statute_british_columbia,
    sections: '68',
    basis: 'report',
    steps: [m.duty_british_columbia_1, m.duty_british_columbia_2],
  },
  Manitoba: {
    statute: m.statute_manitoba,
    sections: '155',
    basis: 'statute',
    steps: [m.duty_manitoba_1, m.duty_manitoba_2],
  },
  'New Brunswick': {
    statute: m.statute_new_brunswick,
    sections: '125 to 129',
    basis: 'open',
    steps: [m.duty_give_to_owner, m.duty_ask_the_police, m.duty_report_serious],
  },
  'Newfoundland and Labrador': {
    statute: m.statute_newfoundland_and_labrador,
    sections: 'not found',
    basis: 'open',
    steps: [m.duty_give_to_owner, m.duty_ask_the_police, m.duty_report_serious],
  },
  'Nova Scotia': {
    statute: m.statute_nova_scotia,
    sections: '97',
    basis: 'open',
    steps: [m.duty_give_to_owner, m.duty_ask_the_police, m.duty_report_serious],
  },
  Ontario: {
    statute: m.statute_ontario,
    sections: '199, 200',
    basis: 'report',
    steps: [m.duty_ontario_1, m.duty_ontario_2, m.duty_ask_the_police],
  },
  'Prince Edward Island': {
    statute: m.statute_prince_edward_island,
    sections: 'not found',
    basis: 'open',
    steps: [m.duty_give_to_owner, m.duty_ask_the_police, m.duty_prince_edward_island_1],
  },
  Quebec: {
    statute: m.statute_quebec,
    sections: '168 to 171',
    basis: 'report',
    steps: [m.duty_quebec_1, m.duty_quebec_2],
  },
  Saskatchewan: {
    statute: m.statute_saskatchewan,
    sections: '253, 254',
    basis: 'report',
    steps: [m.duty_saskatchewan_1, m.duty_saskatchewan_2, m.duty_ask_the_police],
  },
}

/** Returns all that the screen says about a province, in order. */
export const dutiesFor = (province: Province, locale: Locale): string[] =>
  [m.duty_stay, ...COLLISION_DUTIES[province].steps].map((step) => step({}, { locale }))
