import type { Db } from '../db/pool.ts'

export type LockedAccount = { id: string; email: string; is_admin: boolean }

/**
 * Accounts, held until the transaction ends; in the order of their ids, so that two who hold each other's never wait for
 * each other. Accounts that are gone are left out.
 *
 * @param includeAdmins holds all admins too
 */
export const lockAccounts = (db: Db, ids: string[], includeAdmins: boolean) =>
  db<LockedAccount[]>`
    select id, email, is_admin from auth.users
    where id = any(${ids}::uuid[]) or (${includeAdmins} and is_admin)
    order by id
    for no key update`

/** Waits for whatever refers to the account at this moment; nothing new can refer to it until the transaction ends. */
export const lockAccountExclusively = async (db: Db, id: string): Promise<void> => {
  await db`select 1 from auth.users where id = ${id} for update`
}

/** Deletes an account with its sessions, links and everything else that refers to it. */
export const deleteUser = async (db: Db, id: string): Promise<void> => {
  await db`delete from auth.users where id = ${id}`
}
