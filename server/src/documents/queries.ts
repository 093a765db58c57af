import type { DocumentKind, SentDocument } from '#contract/documents.ts'
import type { Db } from '../db/pool.ts'
import { RETENTION } from '../retention.ts'

/** How long files are kept after the due date. */
const KEPT_AFTER_DUE = RETENTION.disputeDocuments

/**
 * Finds what a vehicle's open disputes say about its documents: whether the latest due date is so long ago that files are not kept
 * any more; undefined when it is a side of none.
 */
export const findSideState = async (db: Db, vehicleId: string): Promise<{ is_too_late: boolean } | undefined> => {
  const [row] = await db<{ is_too_late: boolean | null }[]>`
    select max(documents_due_at) <= now() - ${KEPT_AFTER_DUE}::interval as is_too_late
    from plate_disputes
    where incumbent_vehicle_id = ${vehicleId} or challenger_vehicle_id = ${vehicleId}`
  return row && row.is_too_late !== null ? { is_too_late: row.is_too_late } : undefined
}

/** Finds the open challenge that a vehicle is the challenger of. */
export const findOwnChallengeId = async (db: Db, vehicleId: string): Promise<string | undefined> => {
  const [row] = await db<{ id: string }[]>`select id from plate_disputes where challenger_vehicle_id = ${vehicleId}`
  return row?.id
}

/** Returns whether a vehicle challenges a plate and its documents arrived: it then waits for an admin. */
export const hasReceivedChallenge = async (db: Db, vehicleId: string): Promise<boolean> => {
  const rows = await db`
    select from plate_disputes where challenger_vehicle_id = ${vehicleId} and documents_received_at is not null`
  return rows.length > 0
}

/** Lists the documents that are here of these vehicles, by their positions. */
export const listSentDocuments = (db: Db, vehicleIds: string[]) =>
  db<(SentDocument & { vehicle_id: string })[]>`
    select vehicle_id, place, id, kind, size, created_at from dispute_documents
    where vehicle_id = any(${vehicleIds}::uuid[])
    order by vehicle_id, place`

/** Lists when documents of these vehicles first arrived, by way. */
export const listArrivals = (db: Db, vehicleIds: string[]) =>
  db<{ vehicle_id: string; way: 'upload' | 'mail'; arrived_at: string }[]>`
    select vehicle_id, way, min(arrived_at) as arrived_at from document_arrivals
    where vehicle_id = any(${vehicleIds}::uuid[])
    group by vehicle_id, way`

type NewDocument = {
  id: string
  vehicle_id: string
  place: number
  file_name: string
  key_envelope: Buffer
  kind: DocumentKind
  size: number
}

export const insertDocument = async (db: Db, document: NewDocument): Promise<SentDocument> => {
  const [row] = await db<SentDocument[]>`
    insert into dispute_documents ${db(document)} returning id, kind, place, size, created_at`
  return row! // an insert without "on conflict" returns its row or throws
}

/** Finds the vehicle of a person's own document. */
export const findVehicleOfDocument = async (db: Db, id: string, ownerId: string): Promise<string | undefined> => {
  const [row] = await db<{ vehicle_id: string }[]>`
    select d.vehicle_id from dispute_documents d join vehicles v on v.id = d.vehicle_id
    where d.id = ${id} and v.user_id = ${ownerId}`
  return row?.vehicle_id
}

/** Deletes a person's own document. Returns false when there is none any more. */
export const deleteOwnDocument = async (db: Db, id: string, ownerId: string): Promise<boolean> => {
  const { count } = await db`
    delete from dispute_documents d using vehicles v
    where d.id = ${id} and v.id = d.vehicle_id and v.user_id = ${ownerId}`
  return count === 1
}

/** Notes that documents of a vehicle arrived. Returns false when this was known. */
export const insertArrival = async (
  db: Db,
  vehicleId: string,
  way: 'upload' | 'mail',
  mailHash: Buffer | null,
): Promise<boolean> => {
  const { count } = await db`
    insert into document_arrivals (vehicle_id, way, mail_hash) values (${vehicleId}, ${way}, ${mailHash})
    on conflict on constraint one_arrival do nothing`
  return count === 1
}

/** Deletes the record that documents of a vehicle arrived by upload; one by mail stays. */
export const deleteUploadArrival = async (db: Db, vehicleId: string): Promise<void> => {
  await db`delete from document_arrivals where vehicle_id = ${vehicleId} and way = 'upload'`
}

/** A document as an admin opens it. */
type DocumentToOpen = {
  id: string
  vehicle_id: string
  plate: string
  plate_key: string
  province: string
  file_name: string
  key_envelope: Buffer
  kind: DocumentKind
}

/** Finds a document for the admin who decides, while its dispute is open. */
export const findDocumentToOpen = async (db: Db, id: string): Promise<DocumentToOpen | undefined> => {
  const [row] = await db<DocumentToOpen[]>`
    select d.id, d.vehicle_id, v.plate, v.plate_key, v.province, d.file_name, d.key_envelope, d.kind
    from dispute_documents d
    join vehicles v on v.id = d.vehicle_id
    where d.id = ${id}
      and exists (
        select from plate_disputes p
        where p.incumbent_vehicle_id = d.vehicle_id or p.challenger_vehicle_id = d.vehicle_id)`
  return row
}

/** Deletes the documents of disputes whose latest due date passed 30 days ago, and any that no open dispute needs. */
export const deleteExpiredDocuments = async (db: Db): Promise<void> => {
  await db`
    delete from dispute_documents d
    where not exists (
      select from plate_disputes p
      where (p.incumbent_vehicle_id = d.vehicle_id or p.challenger_vehicle_id = d.vehicle_id)
        and p.documents_due_at > now() - ${KEPT_AFTER_DUE}::interval)`
}
