import type { Incident } from '#contract/incidents.ts'
import type { Db } from '../db/pool.ts'

/** The fields of an entry that are encrypted together. */
export type IncidentTexts = Pick<
  Incident,
  'occurred' | 'what_happened' | 'whose_data' | 'what_was_done' | 'risk_reason' | 'who_was_told'
>

export type IncidentRow = Omit<Incident, keyof IncidentTexts> & { text_encrypted: Buffer | null }

/** Lists entries before an id, the latest first. */
export const findIncidents = (db: Db, before: string, limit: number) =>
  db<IncidentRow[]>`
    select id, created_at, recorded_by_email as recorded_by, amends, noticed_on::text as noticed_on, serious_risk, people,
      text_encrypted
    from incidents
    where id < ${before}
    order by id desc
    limit ${limit}`

/** Returns the first entry about an incident, given any of them; null when there is none. */
export const findFirstEntry = async (db: Db, id: string): Promise<string | null> => {
  const [row] = await db<{ id: string }[]>`select coalesce(amends, id) as id from incidents where id = ${id}`
  return row?.id ?? null
}

/** Stores an entry. Returns when. */
export const insertIncident = async (
  tx: Db,
  entry: Omit<IncidentRow, 'created_at'> & { recorded_by_id: string },
): Promise<string> => {
  const [row] = await tx<{ created_at: string }[]>`
    insert into incidents (id, recorded_by_id, recorded_by_email, amends, noticed_on, serious_risk, people, text_encrypted)
    values (${entry.id}, ${entry.recorded_by_id}, ${entry.recorded_by}, ${entry.amends}, ${entry.noticed_on}::date,
      ${entry.serious_risk}, ${entry.people}, ${entry.text_encrypted})
    returning created_at`
  return row!.created_at // an insert without "on conflict" returns its row or throws
}
