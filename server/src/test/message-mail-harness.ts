import type { Pool } from '../db/pool.ts'
import type { RenderMail } from '../email/mail-content.ts'
import { eventually } from './eventually.ts'
import { createMailHarness, renderTestMail } from './mail-harness.ts'

/** Resolves once nothing that waits for owners is due or being emailed: of one owner, or of all. */
export const untilPutOff = (db: Pool, ownerId: string | null = null): Promise<true> =>
  eventually(async () => {
    const due = await db`
      select from outbox
      where (${ownerId}::uuid is null or recipient_id = ${ownerId}) and sent_at is null and failed_at is null
        and (run_at <= now() or lease_token is not null)`
    return due.length === 0 ? true : undefined
  })

/**
 * Lets the pause after owners' last emails pass, so that what waits for them is due: of one owner, or of all.
 *
 * In one transaction that takes the recipient lock first, as the worker does. A worker that is reading what is due at this
 * moment may skip rows that are being changed, and email only some of what waits: see `untilPutOff`.
 */
export const endDigestPause = async (db: Pool, ownerId: string | null = null): Promise<void> => {
  await db.begin(async (tx) => {
    await tx`update digests set next_at = now() where ${ownerId}::uuid is null or recipient_id = ${ownerId}`
    // a row that the worker is marking at this moment is left to it: waiting for it could be a deadlock
    await tx`
      update outbox set run_at = now()
      where id in (
        select id from outbox
        where (${ownerId}::uuid is null or recipient_id = ${ownerId}) and sent_at is null and failed_at is null
        for update skip locked)`
  })
}

/**
 * Makes the emails due that wait, of one person or of all, but those that a worker leases at this moment: two that wait for each
 * other's rows are a deadlock.
 */
export async function makeMailsDue(db: Pool, recipientId: string | null = null): Promise<void> {
  const isTheirs = db`(${recipientId}::uuid is null or recipient_id = ${recipientId})`
  await db`
    update digests set next_at = now() where recipient_id in (
      select recipient_id from digests where ${isTheirs} and lease_token is null for update skip locked)`
  await db`
    update outbox set run_at = now() where id in (
      select id from outbox
      where ${isTheirs} and sent_at is null and failed_at is null and lease_token is null and not held
      for update skip locked)`
}

/** Lists the messages an email is about. */
export const renderRefIds: RenderMail = async (context, mail) => ({
  ...(await renderTestMail(context, mail))!,
  subject: [...(mail.olderRefIds ?? []), mail.refId].length === 1 ? 'one' : 'several',
  blocks: [{ list: [...(mail.olderRefIds ?? []), mail.refId] }],
})

/** Creates a mail harness of its own for a test, in which messages can be queued and time can pass. */
export async function createMessageMailHarness(t: { after: (clean: () => Promise<void>) => void }) {
  const harness = await createMailHarness()
  t.after(() => harness.close())
  const { db, queue, worker } = harness
  return {
    ...harness,
    message: (ownerId: string) => queue(ownerId, {}, 'message'),
    start: (url: string | undefined, options: Parameters<typeof worker>[1] = {}) =>
      worker(url, { render: renderRefIds, ...options }),
    /** Reads an owner's recipient lock; `seconds` until it can be acquired. */
    recipientLock: async (ownerId: string) => {
      const [row] = await db<{ seconds: number; tries: number; lease_token: string | null }[]>`
        select extract(epoch from next_at - now())::float8 as seconds, tries, lease_token from digests
        where recipient_id = ${ownerId}`
      return row
    },
    /** Lets the time pass until the recipient lock can be acquired. */
    expireRecipientLock: (ownerId: string) => endDigestPause(db, ownerId),
    /** Waits until the worker has put these emails off. */
    untilPutOff: (ids: string[]) =>
      eventually(async () => {
        const [row] = await db<{ n: number }[]>`
          select count(*)::int as n from outbox
          where id = any(${ids}::uuid[]) and run_at > now() and lease_token is null and sent_at is null`
        return row?.n === ids.length ? true : undefined
      }),
    refs: async (ids: string[]) => {
      const rows = await db<{ ref_id: string }[]>`select ref_id from outbox where id = any(${ids}::uuid[]) order by id`
      return rows.map((row) => row.ref_id)
    },
  }
}
