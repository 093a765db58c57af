import { INCIDENT_TEXT_MAX, INCIDENT_WHEN_MAX } from '#contract/incidents.ts'
import { formatDate } from '~/lib/dates/dates'
import { m } from '~/paraglide/messages'

/** The texts of an entry, in the order of the form. */
export const INCIDENT_TEXTS = [
  'occurred',
  'what_happened',
  'whose_data',
  'what_was_done',
  'risk_reason',
  'who_was_told',
] as const
type IncidentText = (typeof INCIDENT_TEXTS)[number]

const labels: Record<IncidentText, () => string> = {
  occurred: m.incident_occurred,
  what_happened: m.incident_what,
  whose_data: m.incident_whose,
  what_was_done: m.incident_done,
  risk_reason: m.incident_risk_reason,
  who_was_told: m.incident_told,
}

/** Returns the texts of an entry with their labels and maximum lengths. */
export const incidentFields = () =>
  INCIDENT_TEXTS.map((name) => ({
    name,
    label: labels[name](),
    max: name === 'occurred' ? INCIDENT_WHEN_MAX : INCIDENT_TEXT_MAX,
  }))

/** Formats a day ('2026-11-20'), which is the same in every time zone. */
export const formatNoticed = (day: string): string => formatDate(`${day}T12:00:00`)
