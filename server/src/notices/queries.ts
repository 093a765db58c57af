import type { Locale } from '#contract/product.ts'
import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'
import type { NoticeTexts } from './parse-notice.ts'

export type Notice = { id: string; texts: NoticeTexts; queued: number; completed_at: string | null }

/** Returns the notice of a file; undefined when it has never been queued. */
export const findNoticeByHash = async (db: Db, hash: Buffer): Promise<Notice | undefined> => {
  const [notice] = await db<Notice[]>`
    select id, texts, queued, completed_at from notices where content_hash = ${hash}`
  return notice
}

/** Creates the notice of a file, unless there is one. Returns its id. */
export const insertNotice = async (db: Db, hash: Buffer, texts: NoticeTexts): Promise<string> => {
  await db`
    insert into notices (id, content_hash, texts) values (${newId()}, ${hash}, ${db.json(texts)})
    on conflict (content_hash) do nothing`
  return (await findNoticeByHash(db, hash))!.id
}

export const findNoticeTexts = async (db: Db, id: string): Promise<NoticeTexts | undefined> => {
  const [notice] = await db<Pick<Notice, 'texts'>[]>`select texts from notices where id = ${id}`
  return notice?.texts
}

export type NoticeProgress = {
  queued_to: string | null
  queued: number
  created_at: string
  completed_at: string | null
}

/** Locks a notice until the transaction ends, so that two commands do not queue the same accounts. */
export const lockNotice = async (tx: Db, id: string): Promise<NoticeProgress> => {
  const [notice] = await tx<NoticeProgress[]>`
    select queued_to, queued, created_at, completed_at from notices where id = ${id} for update`
  return notice!
}

/** Lists the next accounts that get a notice: confirmed ones that were there when it was first queued. */
export const listNoticeRecipients = (db: Db, after: string | null, createdAt: string, limit: number) =>
  db<{ id: string }[]>`
    select id from auth.users
    where email_confirmed_at is not null and created_at <= ${createdAt}
      and (${after}::uuid is null or id > ${after}::uuid)
    order by id
    limit ${limit}`

/** Notes how far a notice has been queued; without more accounts it is complete. */
export const noteProgress = async (tx: Db, id: string, ids: string[], isComplete: boolean): Promise<void> => {
  await tx`
    update notices set queued_to = coalesce(${ids.at(-1) ?? null}::uuid, queued_to), queued = queued + ${ids.length},
      completed_at = case when ${isComplete} then now() end
    where id = ${id}`
}

/** Ends a notice of which so many emails are not to leave. */
export const noteWithdrawal = async (tx: Db, id: string, withdrawn: number): Promise<void> => {
  await tx`
    update notices set queued = queued - ${withdrawn}, completed_at = coalesce(completed_at, now()) where id = ${id}`
}

/** Counts who would get a notice now, by language. */
export const countRecipients = (db: Db) =>
  db<{ locale: Locale; count: number }[]>`
    select coalesce(p.locale, 'en') as locale, count(*)::int as count
    from auth.users u left join preferences p on p.user_id = u.id
    where u.email_confirmed_at is not null
    group by 1 order by 1`
