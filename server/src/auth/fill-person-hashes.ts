import { MIN_UUID } from '../db/pagination.ts'
import type { Db } from '../db/pool.ts'
import type { Keyring } from '../encryption/envelope-encryption.ts'
import { hashPerson } from '../limits/canonical-address.ts'

const ACCOUNTS_PER_BATCH = 500

/**
 * Fills in the person of every account from before persons were recorded (decision sanctions-and-appeals), a batch at a time: the key of
 * the hash is not in the database, so no migration can. Ends early when it is aborted; the next start goes on.
 */
export async function fillPersonHashes(db: Db, keyring: Keyring, stopping?: AbortSignal): Promise<void> {
  for (let after = MIN_UUID; !stopping?.aborted; ) {
    const accounts = await db<{ id: string; email: string }[]>`
      select id, email from auth.users
      where person_hash is null and id > ${after}
      order by id
      limit ${ACCOUNTS_PER_BATCH}`
    const last = accounts.at(-1)
    if (!last) return
    const hashes = accounts.map(({ email }) => hashPerson(keyring, email))
    await db`
      update auth.users u set person_hash = filled.person_hash
      from unnest(${accounts.map(({ id }) => id)}::uuid[], ${accounts.map(({ email }) => email)}::text[], ${hashes}::bytea[])
        as filled (id, email, person_hash)
      where u.id = filled.id and u.email = filled.email and u.person_hash is null`
    after = last.id
  }
}
