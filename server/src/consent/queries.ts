import type { Locale } from '#contract/product.ts'
import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'

/** Somebody's consent to a version of the terms, with the statement that they are old enough. */
type ConsentRow = { version: string; locale: Locale; given_at: string }

/** Records a consent; one to the same version stays as it was. Does nothing when the account is gone. */
export const recordConsent = async (
  db: Db,
  userId: string,
  { version, locale, given_at }: Omit<ConsentRow, 'given_at'> & { given_at?: string },
): Promise<void> => {
  await db`
    insert into consents (id, user_id, version, locale, age_ok, given_at)
    select ${newId()}, id, ${version}, ${locale}, true, coalesce(${given_at ?? null}::timestamptz, now())
    from auth.users where id = ${userId} for key share
    on conflict (user_id, version) do nothing`
}

/** Lists what somebody agreed to, the latest first. */
export const listConsents = (db: Db, userId: string) =>
  db<(ConsentRow & { age_ok: boolean })[]>`
    select version, locale, age_ok, given_at from consents where user_id = ${userId} order by given_at desc`
