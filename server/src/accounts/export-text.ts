import { imageUrl } from '../attachments/image-url.ts'
import type { UserRow } from '../auth/queries.ts'
import { listSessions, type SessionListRow, type SessionPosition } from '../auth/session-list.ts'
import type { Db } from '../db/pool.ts'
import { showReceived, showSent } from '../messages/list-messages.ts'
import { listReceived, listSent } from '../messages/queries.ts'
import { listNotifications, type NumberedNotification } from '../notifications/queries.ts'
import { preferencesOf } from '../preferences/queries.ts'
import { pushDevicesOf, showsMessageText } from '../push/device-queries.ts'
import { type Keyring, UnsealError } from '../sealing/seal.ts'
import type { Reader } from '../sealing/show-text.ts'
import { ownVehicles, rejectReasonOf } from '../vehicles/queries.ts'
import { openRejectReason } from '../vehicles/reject-reason.ts'
import { showVehicle } from '../vehicles/rules.ts'
import { challengesStartedBy, imagesUploadedBy, mailsTo } from './queries.ts'

/** Where the export is read from; `db` is one transaction, so that all of it is of one moment. */
export type ExportSource = { db: Db; reader: Reader; publicUrl: string }

const ROWS_AT_ONCE = 200
/** About how many characters are handed on at a time. */
const CHUNK = 32 * 1024

/**
 * Everything kept about a person as JSON (`docs/export.md`), a little at a time: however much there is, a page of it is
 * in memory. What it tells of messages is what the person's own lists show, so nothing of anybody else is in it.
 *
 * @param proceed asked before each page; throws when the export must not go on
 */
export async function* exportText(
  source: ExportSource,
  user: UserRow,
  proceed: () => Promise<void>,
): AsyncGenerator<string> {
  const head = {
    format: 'platenote-export',
    version: 1,
    exported_at: new Date().toISOString(),
    account: showAccount(user),
    preferences: await preferencesOf(source.db, user.id),
    push: {
      message_text: await showsMessageText(source.db, user.id),
      devices: await pushDevicesOf(source.db, user.id),
    },
  }
  let text = JSON.stringify(head, null, 1).slice(0, -2)
  for (const [name, pages] of sections(source, user.id)) {
    text += `,\n "${name}": [`
    let separator = '\n'
    for await (const page of pages) {
      await proceed()
      for (const item of page) {
        text += `${separator}  ${JSON.stringify(item)}`
        separator = ',\n'
        if (text.length < CHUNK) continue
        yield text
        text = ''
      }
    }
    text += separator === '\n' ? ']' : '\n ]'
  }
  yield `${text}\n}\n`
}

const showAccount = (user: UserRow) => ({
  id: user.id,
  email: user.email,
  full_name: user.user_metadata['full_name'] ?? null,
  is_admin: user.is_admin,
  created_at: user.created_at,
  email_confirmed_at: user.email_confirmed_at,
  last_sign_in_at: user.last_sign_in_at,
  updated_at: user.updated_at,
  metadata: user.user_metadata,
})

/** The lists of the export, read only when their turn comes. */
function sections({ db, reader, publicUrl }: ExportSource, userId: string): [string, AsyncIterable<object[]>][] {
  const link = (path: string | null) => path && publicUrl + path
  const byId =
    <Row extends { id: string }>(list: (db: Db, userId: string, before: string | null, limit: number) => Rows<Row>) =>
    (last: Row | undefined) =>
      list(db, userId, last?.id ?? null, ROWS_AT_ONCE)

  return [
    [
      'sessions',
      pagesOf<SessionListRow>(
        (last) => listSessions(db, userId, last ? behind(last) : null, ROWS_AT_ONCE),
        ({ id, user_agent, ip, created_at, refreshed_at }) => ({
          id,
          user_agent,
          ip,
          signed_in_at: created_at,
          last_seen_at: refreshed_at,
        }),
      ),
    ],
    [
      'vehicles',
      pagesOf(byId(ownVehicles), async (row) => ({
        ...showVehicle(row),
        reject_reason: row.status === 'rejected' ? await rejectReason(db, reader.keyring, row.id, userId) : null,
      })),
    ],
    [
      'messages_received',
      pagesOf(byId(listReceived), (row) => {
        const message = showReceived(reader, row)
        return { ...message, image_url: link(message.image_url) }
      }),
    ],
    [
      'messages_sent',
      pagesOf(byId(listSent), (row) => {
        const message = showSent(reader, row)
        return { ...message, image_url: link(message.image_url) }
      }),
    ],
    [
      'notifications',
      pagesOf<NumberedNotification>(
        (last) => listNotifications(db, userId, last?.number ?? null, ROWS_AT_ONCE),
        ({ id, type, data, is_read, created_at }) => ({ id, type, data, is_read, created_at }),
      ),
    ],
    ['challenges', pagesOf(byId(challengesStartedBy), ({ created_at }) => ({ started_at: created_at }))],
    ['attachments', pagesOf(byId(imagesUploadedBy), ({ name, ...image }) => ({ ...image, url: link(imageUrl(name)) }))],
    [
      'emails',
      pagesOf(byId(mailsTo), ({ kind, created_at, sent_at, failed_at }) => ({ kind, created_at, sent_at, failed_at })),
    ],
  ]
}

const behind = ({ refreshed_us, id }: SessionListRow): SessionPosition => ({
  refreshedUs: refreshed_us,
  id,
})

type Rows<Row> = PromiseLike<readonly Row[]>

/** Reads a list page by page, each when it is asked for. */
async function* pagesOf<Row>(
  read: (last: Row | undefined) => Rows<Row>,
  show: (row: Row) => object | Promise<object>,
): AsyncGenerator<object[]> {
  for (let last: Row | undefined; ; ) {
    const rows = await read(last)
    yield await Promise.all(rows.map(async (row) => show(row)))
    if (rows.length < ROWS_AT_ONCE) return
    last = rows.at(-1)
  }
}

/** Null also when what is stored was damaged: the rest of the export stays readable. */
async function rejectReason(db: Db, keyring: Keyring, vehicleId: string, userId: string): Promise<string | null> {
  const row = await rejectReasonOf(db, vehicleId, userId)
  try {
    return row ? openRejectReason(keyring, vehicleId, row.reject_reason_sealed) : null
  } catch (error) {
    if (error instanceof UnsealError) return null
    throw error
  }
}
