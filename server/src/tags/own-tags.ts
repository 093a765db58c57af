import { paths } from '#contract/paths.ts'
import type { Tag } from '#contract/tags.ts'
import type { AppContext } from '../context.ts'
import { newId } from '../db/ids.ts'
import { type Db, sqlState } from '../db/pool.ts'
import { DecryptionError, type Keyring } from '../encryption/envelope-encryption.ts'
import { refuse } from '../refusal.ts'
import { deleteTag, listOwnTags, replaceTag, type TagRow } from './queries.ts'
import { decryptToken, digitsOf, encryptToken, generateToken, hashDigits, hashToken } from './secrets.ts'

type TagContext = Pick<AppContext, 'config' | 'db' | 'keyring'>
type Reader = { keyring: Keyring; publicUrl: string }

const UNIQUE_VIOLATION = '23505'
/** Eight digits are soon those of another tag once there are some ten thousand; another token has others. */
const MAX_ATTEMPTS = 5

/** Converts a stored tag for its owner. */
function toTag({ keyring, publicUrl }: Reader, row: TagRow): Tag {
  const token = decryptToken(keyring, row.id, row.vehicle_id, row.token_encrypted)
  return {
    token,
    digits: digitsOf(keyring, token),
    url: publicUrl + paths.tag(token),
    created_at: row.created_at,
  }
}

const readerOf = ({ config, keyring }: TagContext): Reader => ({ keyring, publicUrl: config.PUBLIC_URL })

/** Makes the tag of a vehicle; the one it had is dead at once, on every process. Refuses with `not_found`. */
export async function createTag(context: TagContext, ownerId: string, vehicleId: string): Promise<Tag> {
  const { db, keyring } = context
  for (let attempt = 1; ; attempt++) {
    const [id, token] = [newId(), generateToken()]
    try {
      const row = await replaceTag(db, ownerId, {
        id,
        vehicleId,
        tokenHash: hashToken(keyring, token),
        digitsHash: hashDigits(keyring, digitsOf(keyring, token)),
        encryptedToken: encryptToken(keyring, id, vehicleId, token),
      })
      return toTag(readerOf(context), row ?? refuse('not_found'))
    } catch (error) {
      if (sqlState(error) !== UNIQUE_VIOLATION || attempt === MAX_ATTEMPTS) throw error
    }
  }
}

/** Revokes the tag of a vehicle. Refuses with `not_found` when it has none. */
export async function revokeTag({ db }: TagContext, ownerId: string, vehicleId: string): Promise<void> {
  if (!(await deleteTag(db, ownerId, vehicleId))) refuse('not_found')
}

/** Lists the tags of an owner's vehicles. */
export async function listTags(context: TagContext, ownerId: string): Promise<(Tag & { vehicle_id: string })[]> {
  const rows = await listOwnTags(context.db, ownerId)
  return rows.map((row) => ({ ...toTag(readerOf(context), row), vehicle_id: row.vehicle_id }))
}

/** Returns a vehicle's tag for the export; null when it has none, or the stored one is damaged: the rest stays readable. */
export async function exportTag(
  { db, ...reader }: Reader & { db: Db },
  ownerId: string,
  vehicleId: string,
): Promise<Pick<Tag, 'url' | 'digits' | 'created_at'> | null> {
  const [row] = await listOwnTags(db, ownerId, vehicleId)
  try {
    if (!row) return null
    const { url, digits, created_at } = toTag(reader, row)
    return { url, digits, created_at }
  } catch (error) {
    if (error instanceof DecryptionError) return null
    throw error
  }
}
