import * as z from 'zod/mini'
import { PAGE_LIMIT_DEFAULT, type PageParams } from '#contract/endpoint.ts'
import { refuse } from '../refusal.ts'

/**
 * The start of a first page: above every id (and number). A page is always "before something", never "before something or
 * all", which a prepared plan could not serve from the index.
 */
export const MAX_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
export const MAX_BIGINT = '9223372036854775807'
/** Below every id: where reading all rows in order starts. */
export const MIN_UUID = '00000000-0000-0000-0000-000000000000'

/** Returns the position in a cursor, or null on the first page. Refuses a cursor that this server did not create. */
export function parseCursor<T extends z.ZodMiniType>(type: T, { cursor }: PageParams): z.output<T> | null {
  if (cursor === undefined) return null
  const parsed = z.safeParse(type, Buffer.from(cursor, 'base64url').toString())
  return parsed.success ? parsed.data : refuse('invalid_input', { fields: { cursor: { code: 'cursor' } } })
}

/** Where a list is paged by a time, in microseconds since 1970 and so as exact as it is stored, and by an id, as two may have one time. */
export type TimeCursor = { us: string; id: string }
const TimeCursorFormat = z.string().check(z.regex(/^\d{1,18}\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/))

export const pageLimit = ({ limit }: PageParams): number => limit ?? PAGE_LIMIT_DEFAULT

/**
 * Returns a page.
 *
 * @param rows up to one row more than the page has; the extra row only says that there is a next page
 * @param toPosition returns the position after which the next page starts, from the last row of this one
 */
export function toPage<Row, Item>(
  rows: Row[],
  limit: number,
  toPosition: (row: Row) => string,
  toItem: (row: Row) => Item,
) {
  const visible = rows.slice(0, limit)
  const last = visible.at(-1)
  return {
    items: visible.map(toItem),
    next: rows.length > limit && last !== undefined ? Buffer.from(toPosition(last)).toString('base64url') : null,
  }
}

/**
 * Reads a page of rows that have an id, newest first.
 *
 * @param read returns the rows before an id (null: from the start), up to a number
 */
export async function readPage<Row extends { id: string }, Item = Row>(
  paging: PageParams,
  read: (before: string | null, limit: number) => PromiseLike<Row[]>,
  toItem = (row: Row) => row as unknown as Item,
) {
  const limit = pageLimit(paging)
  const rows = await read(parseCursor(z.uuid(), paging), limit + 1)
  return toPage(rows, limit, ({ id }) => id, toItem)
}

/** Reads a page of rows in the order of a time, the latest first, as `readPage`. */
export async function readPageByTime<Row extends TimeCursor, Item>(
  paging: PageParams,
  read: (before: TimeCursor | null, limit: number) => PromiseLike<Row[]>,
  toItem: (row: Row) => Item,
) {
  const limit = pageLimit(paging)
  const [us, id] = parseCursor(TimeCursorFormat, paging)?.split('.') ?? []
  const rows = await read(us !== undefined && id !== undefined ? { us, id } : null, limit + 1)
  return toPage(rows, limit, (row) => `${row.us}.${row.id}`, toItem)
}
