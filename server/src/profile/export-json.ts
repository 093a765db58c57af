import type { SentMessage } from '#contract/messages.ts'
import { paths } from '#contract/paths.ts'
import { decryptUnsentLink, imageUrl } from '../attachments/image-link.ts'
import { findEmailChange, listFormerAddresses } from '../auth/email-change-queries.ts'
import { type EventRow, listEvents } from '../auth/events.ts'
import { type FactorRow, listFactors } from '../auth/factor-queries.ts'
import { listSessions, type SessionListRow } from '../auth/session-queries.ts'
import type { UserRow } from '../auth/user-queries.ts'
import { listBlocks } from '../blocks/queries.ts'
import { findCollision } from '../collisions/queries.ts'
import { readCard, toShownParticulars } from '../collisions/read-card.ts'
import { listConsents } from '../consent/consent.ts'
import { MAX_UUID } from '../db/pagination.ts'
import type { Db } from '../db/pool.ts'
import { type DecryptContext, openOrReport } from '../encryption/decrypt-for-display.ts'
import { unwrapDataKey } from '../encryption/envelope-encryption.ts'
import { toReceivedMessage, toSentMessage } from '../messages/list-messages.ts'
import { decryptContent } from '../messages/message-encryption.ts'
import { listReceived, listSent } from '../messages/queries.ts'
import { listNotifications, type NumberedNotification } from '../notifications/queries.ts'
import { getPreferences, isTextInPushes } from '../preferences/queries.ts'
import { listPushSubscriptions } from '../push/subscription-queries.ts'
import { caseData, decryptReportNote } from '../reports/case-queries.ts'
import { listOwnReports, type OwnReportRow } from '../reports/queries.ts'
import { listOwnSanctions, toExportedSanction } from '../sanctions/export-sanctions.ts'
import { exportTag } from '../tags/own-tags.ts'
import { listOwnInvitations } from '../vehicle-people/invitation-queries.ts'
import { listDrivenVehicles } from '../vehicle-people/queries.ts'
import { toVehicle } from '../vehicles/list-vehicles.ts'
import { listOwnVehicles } from '../vehicles/queries.ts'

// What the export contains besides the lists people see. All newest first, starting after the row with the id `before`.

/** Lists the challenges a user started, also those that are over. */
const listStartedChallenges = (db: Db, userId: string, before: string | null, limit: number) =>
  db<{ id: string; started_at: string }[]>`
    select id, created_at as started_at from challenges_started
    where user_id = ${userId} and id < coalesce(${before}, ${MAX_UUID})::uuid
    order by id desc
    limit ${limit}`

type UploadedImage = ImageMessage & {
  id: string
  uploader_id: string
  size: number
  width: number
  height: number
  created_at: string
}
/** The person's own message an image was sent with, which has its link; null before it is sent. */
type ImageMessage =
  | { message_id: string; addressed_to: string; content_encrypted: Buffer; collision_encrypted: Buffer | null }
  | { message_id: null; link_encrypted: Buffer }

/** Lists the images a user uploaded, with the message each was sent with. */
const listUploadedImages = (db: Db, userId: string, before: string | null, limit: number) =>
  db<UploadedImage[]>`
    select a.id, a.uploader_id, a.link_encrypted, a.size, a.width, a.height,
      a.created_at, m.id as message_id, m.addressed_to, m.content_encrypted, m.collision_encrypted
    from attachments a
    left join messages m on m.attachment_id = a.id
    where a.uploader_id = ${userId} and a.id < coalesce(${before}, ${MAX_UUID})::uuid
    order by a.id desc
    limit ${limit}`

type MailRow = {
  id: string
  kind: string
  created_at: string
  sent_at: string | null
  failed_at: string | null
  return_reason: string | null
}

/** Lists which emails a user was sent, without their texts. */
const listMails = (db: Db, userId: string, before: string | null, limit: number) =>
  db<MailRow[]>`
    select id, kind, created_at, sent_at, failed_at, return_reason from outbox
    where recipient_id = ${userId} and id < coalesce(${before}, ${MAX_UUID})::uuid
    order by id desc
    limit ${limit}`

/** Lists the documents of disputes that a user uploaded and that are still here, newest first. What is in them is not read. */
const listUploadedDocuments = (db: Db, userId: string, before: string | null, limit: number) =>
  db<{ id: string; plate: string; kind: string; size: number; created_at: string }[]>`
    select d.id, v.plate, d.kind, d.size, d.created_at
    from dispute_documents d join vehicles v on v.id = d.vehicle_id
    where v.user_id = ${userId} and d.id < coalesce(${before}, ${MAX_UUID})::uuid
    order by d.id desc
    limit ${limit}`

type ExportSource = { db: Db; decryptContext: DecryptContext; publicUrl: string }

const PAGE_SIZE = 200
/** About how many characters are yielded at a time. */
const CHUNK_CHARACTERS = 32 * 1024

/**
 * Yields everything stored about a person as JSON (`docs/export.md`), a little at a time: however much there is, only a
 * page of it is in memory. Messages are exported as the person's own lists show them, so nothing of anybody else is in
 * it.
 *
 * @param whenAllowed reads a page when its turn comes; throws when the export must not go on
 */
export async function* streamExportJson(
  source: ExportSource,
  user: UserRow,
  whenAllowed: <Page>(read: () => Promise<Page>) => Promise<Page>,
): AsyncGenerator<string, void> {
  const head = await whenAllowed(async () => ({
    format: 'platenote-export',
    version: 1,
    exported_at: new Date().toISOString(),
    account: toExportedAccount(user),
    ...(await exportEmailChange(source.db, user.id)),
    consents: await listConsents(source.db, user.id),
    preferences: await getPreferences(source.db, user.id),
    push: {
      message_text: await isTextInPushes(source.db, user.id),
      devices: await listPushSubscriptions(source.db, user.id),
    },
  }))
  let text = JSON.stringify(head, null, 1).slice(0, -2)
  for (const [name, pages] of sections(source, user.id)) {
    text += `,\n "${name}": [`
    let separator = '\n'
    for (let page = await whenAllowed(() => pages.next()); !page.done; page = await whenAllowed(() => pages.next())) {
      for (const item of page.value) {
        text += `${separator}  ${JSON.stringify(item)}`
        separator = ',\n'
        if (text.length < CHUNK_CHARACTERS) continue
        yield text
        text = ''
      }
    }
    text += separator === '\n' ? ']' : '\n ]'
  }
  yield `${text}\n}\n`
}

const toExportedAccount = (user: UserRow) => ({
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

/** Exports a change of the address that waits, and the addresses that can still be restored. */
async function exportEmailChange(db: Db, userId: string) {
  const change = await findEmailChange(db, userId)
  const formerAddresses = await listFormerAddresses(db, userId)
  return {
    email_change: change
      ? {
          new_email: change.new_email,
          requested_at: change.requested_at,
          current_confirmed_at: change.current_confirmed_at,
          new_confirmed_at: change.new_confirmed_at,
        }
      : null,
    former_addresses: formerAddresses.map(({ email, changed_at, undo_until }) => ({ email, changed_at, undo_until })),
  }
}

/** Lists the sections of the export; each is read only when it is iterated. */
function sections(
  { db, decryptContext, publicUrl }: ExportSource,
  userId: string,
): [string, AsyncGenerator<object[]>][] {
  const toAbsoluteUrl = (path: string | null) => path && publicUrl + path
  /** The card of a message that came with one, without its photos, which its page shows. */
  const cardOf = async ({ id, collision }: Pick<SentMessage, 'id' | 'collision'>) => {
    // for its sender and the owner of the vehicle, not for a driver
    if (collision?.kind !== 'hit' || !(await findCollision(db, id, userId))) return {}
    const found = await readCard({ db, ...decryptContext }, id, false)
    return {
      card: found && {
        province: found.card.province,
        ...toShownParticulars(found.card.particulars),
        url: publicUrl + paths.collisionCard(id),
      },
    }
  }
  const pageById =
    <Row extends { id: string }>(list: (db: Db, userId: string, before: string | null, limit: number) => Rows<Row>) =>
    (last: Row | undefined) =>
      list(db, userId, last?.id ?? null, PAGE_SIZE)

  return [
    [
      'sessions',
      readPages<SessionListRow>(
        (last) => listSessions(db, userId, last ?? null, PAGE_SIZE),
        ({ us: _, ...session }) => session,
      ),
    ],
    [
      'second_factors',
      readPages<FactorRow>(
        (last) => (last ? Promise.resolve([]) : listFactors(db, userId, 'all')),
        ({ id, factor_type, friendly_name, created_at, verified_at, removed_at }) => ({
          ...{ id, factor_type, friendly_name, created_at, verified_at, removed_at },
        }),
      ),
    ],
    [
      'account_events',
      readPages<EventRow>(
        (last) => listEvents(db, userId, last ?? null, PAGE_SIZE),
        ({ at, type, device, session_id }) => ({ at, type, device, session_id }),
      ),
    ],
    [
      'vehicles',
      readPages(pageById(listOwnVehicles), async (row) => ({
        ...toVehicle(decryptContext.keyring)(row),
        windshield_tag: await exportTag({ db, keyring: decryptContext.keyring, publicUrl }, userId, row.id),
      })),
    ],
    ['drives', readPages(pageById(listDrivenVehicles), withoutId)],
    ['invitations', readPages(pageById(listOwnInvitations), withoutId)],
    [
      'messages_received',
      readPages(pageById(listReceived), async (row) => {
        const message = toReceivedMessage(decryptContext, row)
        return { ...message, image_url: toAbsoluteUrl(message.image_url), ...(await cardOf(message)) }
      }),
    ],
    [
      'messages_sent',
      readPages(pageById(listSent), async (row) => {
        const message = toSentMessage(decryptContext, row)
        return { ...message, image_url: toAbsoluteUrl(message.image_url), ...(await cardOf(message)) }
      }),
    ],
    ['blocks', readPages(pageById(listBlocks), withoutId)],
    [
      'reports',
      readPages(pageById(listOwnReports), (row) => ({
        created_at: row.created_at,
        message_id: row.message_id,
        reported: row.side,
        reason: row.reason,
        note: readNote(decryptContext, row),
      })),
    ],
    ['sanctions', readPages(pageById(listOwnSanctions), (row) => toExportedSanction(decryptContext, row))],
    [
      'notifications',
      readPages<NumberedNotification>(
        (last) => listNotifications(db, userId, last?.number ?? null, PAGE_SIZE),
        ({ id, type, data, is_read, created_at }) => ({ id, type, data, is_read, created_at }),
      ),
    ],
    ['challenges', readPages(pageById(listStartedChallenges), withoutId)],
    ['documents', readPages(pageById(listUploadedDocuments), withoutId)],
    [
      'attachments',
      readPages(pageById(listUploadedImages), (image) => {
        const { id, size, width, height, created_at, message_id } = image
        const link =
          image.message_id === null
            ? decryptUnsentLink(decryptContext, image)
            : decryptContent(decryptContext, { id: image.message_id, vehicleId: image.addressed_to }, image).imageLink
        const url = toAbsoluteUrl(link && imageUrl(link))
        return { id, size, width, height, created_at, message_id, url }
      }),
    ],
    ['emails', readPages(pageById(listMails), withoutId)],
  ]
}

/** Of a list that is read for the export alone. */
const withoutId = <Row extends { id: string }>({ id: _, ...item }: Row) => item

type Rows<Row> = PromiseLike<readonly Row[]>

/** Reads a list page by page, each when it is requested, and over one connection at a time. */
async function* readPages<Row>(
  fetchPage: (last: Row | undefined) => Rows<Row>,
  toItem: (row: Row) => object | Promise<object>,
): AsyncGenerator<object[]> {
  for (let last: Row | undefined; ; ) {
    const rows = await fetchPage(last)
    const items: object[] = []
    for (const row of rows) items.push(await toItem(row))
    yield items
    if (rows.length < PAGE_SIZE) return
    last = rows.at(-1)
  }
}

/** Returns what the person wrote to the moderators; null also when it was damaged: the rest stays readable. */
const readNote = ({ keyring, log }: DecryptContext, { id, case_id, key_envelope, note_box }: OwnReportRow) =>
  note_box &&
  openOrReport(log, caseData.note(id), () =>
    decryptReportNote(unwrapDataKey(keyring, caseData.key(case_id), key_envelope), id, note_box),
  )
