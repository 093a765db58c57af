import * as z from 'zod/mini'
import { endpoint, PageParams, pageOf } from './endpoint.ts'
import { hasAtMostCharacters, isSendable, UNSENDABLE_TEXT } from './fields.ts'
import { DAY_MS } from './time.ts'
import { hasVisibleCharacter } from './visible-text.ts'

// The register of confidentiality incidents (decision 0094): what the law of Quebec wants written down about each.

/** Maximum length of each text, in characters. */
export const INCIDENT_TEXT_MAX = 5_000
/** Maximum length of the text that says when it happened. */
export const INCIDENT_WHEN_MAX = 200
/** Above any number of people there can be. */
export const INCIDENT_PEOPLE_MAX = 100_000_000

const REQUIRED_TEXT = 'Please fill this in.'
const text = (max: number) =>
  z
    .string(REQUIRED_TEXT)
    .check(
      z.trim(),
      z.refine(hasVisibleCharacter, REQUIRED_TEXT),
      z.refine(hasAtMostCharacters(max), `At most ${max.toLocaleString('en-CA')} characters.`),
      z.refine(isSendable, UNSENDABLE_TEXT),
    )

/** What an admin writes down. Dates are days, as people remember them. */
const Entry = {
  /** The first entry about this incident, when this one adds to it or corrects it. */
  amends: z.nullable(z.uuid()),
  /** When somebody noticed it. */
  noticed_on: z.iso.date('Please choose a day.').check(
    // a day begins earlier in the east than here
    z.refine((day) => day >= '2000' && Date.parse(day) < Date.now() + DAY_MS, 'Please choose a day in the past.'),
  ),
  /** When it happened: a day or a period, as far as that is known. */
  occurred: text(INCIDENT_WHEN_MAX),
  what_happened: text(INCIDENT_TEXT_MAX),
  /** Whose data, and which. */
  whose_data: text(INCIDENT_TEXT_MAX),
  /** How many people are concerned; null: nobody knows. */
  people: z.nullable(z.int().check(z.minimum(0), z.maximum(INCIDENT_PEOPLE_MAX))),
  what_was_done: text(INCIDENT_TEXT_MAX),
  /**
   * Whether there is a risk of serious injury (CQLR c. P-39.1, s. 3.7), in which case the authority and the people are
   * notified.
   */
  serious_risk: z.boolean(),
  /** What that conclusion rests on. */
  risk_reason: text(INCIDENT_TEXT_MAX),
  /** Who was notified, and when; 'nobody' is a valid entry too. */
  who_was_told: text(INCIDENT_TEXT_MAX),
}

export const Incident = z.extend(z.object(Entry), {
  id: z.uuid(),
  created_at: z.iso.datetime(),
  /** The admin's address at that time. */
  recorded_by: z.string(),
})
export type Incident = z.infer<typeof Incident>

export const listIncidents = endpoint({
  method: 'GET',
  path: '/api/admin/incidents',
  audience: 'admin',
  status: 200,
  summary: 'The register of confidentiality incidents, the latest entry first.',
  input: PageParams,
  output: pageOf(Incident),
})

export const recordIncident = endpoint({
  method: 'POST',
  path: '/api/admin/incidents',
  audience: 'admin',
  status: 201,
  summary:
    'Adds an entry to the register. Entries can be neither changed nor deleted: another one with `amends` adds to one.',
  input: z.extend(z.object(Entry), {
    // as the database writes it
    amends: z.nullable(z.uuid().check(z.toLowerCase())),
  }),
  output: Incident,
})
