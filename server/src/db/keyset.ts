import * as z from 'zod/mini'
import { PAGE_LIMIT_DEFAULT, type Paging } from '#contract/endpoint.ts'
import { refuse } from '../refusal.ts'

/**
 * Where a first page starts: above every id (and number). A page is always "before something", never "before something or
 * all", which a prepared plan could not serve from the index.
 */
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
export const LAST_NUMBER = '9223372036854775807'

/** The position a cursor stands for, or null on the first page; a cursor that is none of ours is refused. */
export function readCursor<T extends z.ZodMiniType>(type: T, { cursor }: Paging): z.output<T> | null {
  if (cursor === undefined) return null
  const parsed = z.safeParse(type, Buffer.from(cursor, 'base64url').toString())
  return parsed.success
    ? parsed.data
    : refuse('invalid_input', { fields: { cursor: 'This cursor is not one of ours.' } })
}

export const pageLimit = ({ limit }: Paging): number => limit ?? PAGE_LIMIT_DEFAULT

/**
 * A page from one row more than the page holds: the extra row only says that there is a next page.
 *
 * @param position what the next page starts behind, read from the last row shown
 */
export function toPage<Row, Item>(
  rows: Row[],
  limit: number,
  position: (row: Row) => string,
  show: (row: Row) => Item,
) {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: shown.map(show),
    next: rows.length > limit && last !== undefined ? Buffer.from(position(last)).toString('base64url') : null,
  }
}
