import type { Db } from '../db/pool.ts'
import { RETENTION } from '../retention.ts'
import type { EncryptedNote } from './note-encryption.ts'

export type NoteRow = EncryptedNote & {
  id: string
  message_id: string | null
  created_at: string
  opened_at: string | null
  replied_at: string | null
  expires_at: string
}

type NewNote = EncryptedNote & { id: string; message_id: string; code_hash: Buffer }

/** Inserts a note. Returns when it ends if nobody opens it. */
export const insertNote = async (tx: Db, note: NewNote): Promise<string> => {
  const [row] = await tx<{ expires_at: string }[]>`
    insert into notes (id, message_id, code_hash, key_envelope, content_box, expires_at)
    values (${note.id}, ${note.message_id}, ${note.code_hash}, ${note.key_envelope}, ${note.content_box},
      now() + ${RETENTION.unopenedNotes}::interval)
    returning expires_at`
  return row!.expires_at // an insert returns its row or throws
}

/** Finds a note by the hash of its code, until its period is over. */
export const findNote = async (db: Db, codeHash: Buffer): Promise<NoteRow | null> => {
  const [row] = await db<NoteRow[]>`
    select id, message_id, key_envelope, content_box, created_at, opened_at, replied_at, expires_at
    from notes where code_hash = ${codeHash} and expires_at > now()`
  return row ?? null
}

/** Marks a note opened: its second period begins with the first opening. Returns null when it is gone. */
export const markOpened = async (db: Db, id: string): Promise<NoteRow | null> => {
  const [row] = await db<NoteRow[]>`
    update notes set opened_at = coalesce(opened_at, now()),
      expires_at = coalesce(opened_at, now()) + ${RETENTION.openedNotes}::interval
    where id = ${id} and expires_at > now()
    returning id, message_id, key_envelope, content_box, created_at, opened_at, replied_at, expires_at`
  return row ?? null
}

/** Marks a note answered. Returns false when it was answered before. */
export const markReplied = async (tx: Db, id: string): Promise<boolean> => {
  const { count } = await tx`update notes set replied_at = now() where id = ${id} and replied_at is null`
  return count === 1
}

/** Deletes a note. Returns false when it is gone already. */
export const deleteNote = async (tx: Db, id: string): Promise<boolean> => {
  const { count } = await tx`delete from notes where id = ${id} and expires_at > now()`
  return count === 1
}

/**
 * Finds a live vehicle of this user with this plate, in the province that was meant if there are several. Where nobody has the plate, the
 * only one that reads the same counts.
 */
export const findOwnVehicle = async (
  tx: Db,
  userId: string,
  plateKey: string,
  province: string | null,
): Promise<string | null> => {
  const [row] = await tx<{ id: string }[]>`
    select id from vehicles
    where user_id = ${userId} and is_live(status) and (plate_key = ${plateKey}
      or (plate_key, province) in (select a.plate_key, a.province from look_alike(${plateKey}, ${province}) a))
    order by (province = ${province}::text) desc nulls last, id desc
    limit 1
    for no key update`
  return row?.id ?? null
}

/** The notes one statement deletes: a purge of many never holds its locks for long. */
const PURGE_CHUNK = 500

/** Deletes notes at the end of their period. Several processes may do so at the same time. */
export const deleteExpiredNotes = async (db: Db): Promise<void> => {
  for (let deleted = PURGE_CHUNK; deleted === PURGE_CHUNK; ) {
    const result = await db`
      delete from notes
      where id = any(array(
        select id from notes where expires_at <= now() order by expires_at limit ${PURGE_CHUNK} for update skip locked))`
    deleted = result.count
  }
}
