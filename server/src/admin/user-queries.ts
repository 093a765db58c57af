import type { TransactionSql } from 'postgres'
import type { AdminUser } from '#contract/admin.ts'
import { SAMPLE_ROWS } from './list-strategy.ts'

/** A piece of the address or of the full name is looked for in accounts older than one; in all with a null. */
export type UserQuery = { before: string; search: string | null }

const matchesSearch = (tx: TransactionSql, { search }: UserQuery) =>
  search === null
    ? tx`true`
    : // only accents fold to nothing, which is a piece of every name: they are looked for in none
      tx`(strpos(lower(email), lower(${search})) > 0
        or strpos(full_name_folded, nullif(search_fold(${search}), '')) > 0)`

/** How common what is looked for is among the newest accounts of the list. */
export const sampleUsers = async (tx: TransactionSql, query: UserQuery) => {
  const [sample] = await tx<{ users: number; hits: number }[]>`
    select count(*)::int as users, count(*) filter (where ${matchesSearch(tx, query)})::int as hits
    from (
      select email, full_name_folded from auth.users
      where id < ${query.before}
      order by id desc
      limit ${SAMPLE_ROWS}) newest`
  return sample! // an aggregate without groups has one row
}

/** Looks through so many of the newest accounts, until `count` fit. */
export const scanUsers = async (tx: TransactionSql, query: UserQuery, rows: number, count: number) => {
  const found = await tx<{ id: string }[]>`
    select id from (
      select id, email, full_name_folded from auth.users
      where id < ${query.before}
      order by id desc
      limit ${rows}) newest
    where ${matchesSearch(tx, query)}
    order by id desc
    limit ${count}`
  return found.map(({ id }) => id)
}

/** Finds accounts by an index over the pieces of addresses and names. */
export const searchUsersByIndex = async (tx: TransactionSql, query: UserQuery, count: number) => {
  const rows = await tx<{ id: string }[]>`
    with found as materialized (
      select id, email, full_name_folded from auth.users
      where search_parts(lower(email)) @> search_keys(lower(${query.search}))
        or search_parts(full_name_folded) @> search_keys(nullif(search_fold(${query.search}), ''))
    )
    select id from found
    where id < ${query.before} and ${matchesSearch(tx, query)}
    order by id desc
    limit ${count}`
  return rows.map(({ id }) => id)
}

/** Accounts, newest first; those that are gone are left out. */
export const findUsersByIds = (tx: TransactionSql, ids: string[]) =>
  tx<AdminUser[]>`
    select id, email, user_metadata ->> 'full_name' as full_name, created_at
    from auth.users
    where id = any(${ids}::uuid[])
    order by id desc`
