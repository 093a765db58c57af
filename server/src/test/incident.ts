/** An entry for the register of incidents, for tests to which what it says does not matter. */
export const INCIDENT = {
  amends: null,
  noticed_on: '2026-11-20',
  occurred: 'On 19 November',
  what_happened: 'A mail went to the wrong person.',
  whose_data: 'One address',
  people: 1,
  what_was_done: 'They deleted it.',
  serious_risk: false,
  risk_reason: 'The address is public.',
  who_was_told: 'The person',
}
