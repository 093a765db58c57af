import type { KeyObject } from 'node:crypto'

// Values as version 0.2.0 wrote them, with a key of their own that the master key wraps. `platenote rotate-keys` brings them into the
// present form; this file and its call go once no installation can have any left.
//
// envelope = version (1 byte; 2: bound to the row that `boundTo` names) | key id (8) | box of the key (60)
// value    = envelope | box

const HEADER_BYTES = 9
const ENVELOPE_BYTES = 69

type AssociatedData = { table: string; column: string; id: string; boundTo?: string }

/** Decrypts such a value, or the key in an envelope. Throws as `decryptBytes` does; returns null when it is none. */
export function openFormerValue(
  decryptBytes: (key: Buffer | KeyObject, associatedData: AssociatedData, box: Buffer) => Buffer,
  masterKey: KeyObject,
  { boundTo, ...row }: AssociatedData,
  encrypted: Buffer,
): Buffer | null {
  const [version] = encrypted
  if (version !== 1 && (version !== 2 || boundTo === undefined)) return null
  const associatedData = version === 1 ? row : { ...row, boundTo: boundTo! }
  const dataKey = decryptBytes(masterKey, associatedData, encrypted.subarray(HEADER_BYTES, ENVELOPE_BYTES))
  const rest = encrypted.subarray(ENVELOPE_BYTES)
  // the names of the columns that had no more than an envelope
  if (row.column !== 'key' && row.column !== 'file') return decryptBytes(dataKey, associatedData, rest)
  return rest.length === 0 ? dataKey : null
}
