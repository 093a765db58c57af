import type { FastifyRequest } from 'fastify'
import type { NoteKey } from '#contract/notes.ts'
import { plateKey } from '#contract/plates.ts'
import type { AppContext } from '../context.ts'
import { newId } from '../db/ids.ts'
import { keyedHash } from '../encryption/envelope-encryption.ts'
import { consumeCounts, networkCounts } from '../limits/enforce-limit.ts'
import type { createFairQueue } from '../limits/fair-queue.ts'
import { LIMITS } from '../limits/limits.ts'
import { countUntilReset, networkLimitKey, resetLimit, scaleLimit } from '../limits/rate-limiter.ts'
import { countGuestFailure, requireProof } from '../proof-of-work/proof-of-work.ts'
import { refuse } from '../refusal.ts'
import { decryptNote, deriveNoteKeys, type EncryptedNote, encryptNote, type NoteContent } from './note-encryption.ts'
import { findNote, type NoteRow } from './queries.ts'

/** `hashInTurn` runs a few slow hashes at a time. */
export type NoteContext = AppContext & { hashInTurn: ReturnType<typeof createFairQueue> }

const LONGER_THAN_ANY_NOTE = '11 days'

/** Finds a note by its code, and opens it with code and plate. */
export type TryNote = (
  key: NoteKey,
  request: Pick<FastifyRequest, 'ip' | 'headers'>,
) => Promise<{ row: NoteRow; note: NoteContent }>

/**
 * Creates the function that every call about a note begins with (decision windshield-note). A wrong code, a wrong plate, and a note that
 * is expired, deleted or locked are refused with `note_not_found` after the same work: two slow hashes, one count, one
 * look, an attempt to decrypt. A try is counted before it is judged, so that many at one
 * moment are not judged for free.
 *
 * The tries of a network are refused with `too_many_requests`: that says something about the caller alone. When many tries fail
 * everywhere, `proof_needed` asks for a computation (`requireProof`).
 */
export function makeTryNote(context: NoteContext): TryNote {
  const { config, db, keyring, log, hashInTurn } = context
  const maxWrong = scaleLimit(LIMITS.wrongNoteTries.max, config)
  const decoy = makeDecoy(context)
  return async ({ code, plate }, request) => {
    const { ip } = request
    await requireProof(context, request)
    const counts = networkCounts(config, 'noteTriesPerHour', ip, (network) => networkLimitKey(keyring, 'note', network))
    const { allowed, retryAfterS } = await consumeCounts(db, log, counts)
    if (!allowed) refuse('too_many_requests', { limit: 'notes', retryAfterS })
    const { codeHash, secret } = await hashInTurn(null, () => deriveNoteKeys(context, code, plateKey(plate)))
    const counter = `note-try:${keyedHash(keyring, 'note try', codeHash.toString('base64')).toString('base64url')}`
    const tries = await countUntilReset(db, counter, LONGER_THAN_ANY_NOTE)
    const row = await findNote(db, codeHash)
    const { id, encrypted } = row ? { id: row.id, encrypted: row } : decoy
    const note = decryptNote(keyring, id, secret, encrypted)
    if (row === null || note === null || tries > maxWrong) {
      await countGuestFailure(context)
      refuse('note_not_found')
    }
    await resetLimit(db, counter)
    return { row, note }
  }
}

/** Makes a note that nothing opens, to be tried in place of one that is not there. */
function makeDecoy({ keyring }: AppContext): { id: string; encrypted: EncryptedNote } {
  const id = newId()
  const note: NoteContent = {
    version: 1,
    content: 'x'.repeat(200),
    reason: null,
    language: 'en',
    province: null,
    sender_person: '',
  }
  return { id, encrypted: encryptNote(keyring, id, Buffer.alloc(32), note) }
}
