import pg from 'pg'

/** Object ids of PostgreSQL's own types; they never change (`select oid, typname from pg_type`). */
const OID = {
  bool: 16,
  bytea: 17,
  int8: 20,
  date: 1082,
  timestamp: 1114,
  timestamptz: 1184,
  timestamptzArray: 1185,
  jsonb: 3802,
} as const

type Parser = (text: string) => unknown

const toDate = (text: string) => new Date(text)

/** The driver's own parser of arrays, whose type is declared wrongly. */
const arrayParser = pg.types.arrayParser as unknown as {
  create(text: string, parseElement: Parser): { parse(): unknown[] }
}

/** What the driver reads otherwise: it makes dates of times, and takes those without a zone for local ones. */
const PARSERS: Record<number, Parser> = {
  [OID.date]: toDate,
  [OID.timestamp]: toDate,
  [OID.timestamptz]: toIsoTime,
  [OID.timestamptzArray]: (text) => arrayParser.create(text, toIsoTime).parse(),
}

/** Selects the parsers of the columns of a result; bigint and numeric stay the text that PostgreSQL writes. */
export const COLUMN_PARSERS = {
  getTypeParser: (oid: number): Parser => PARSERS[oid] ?? (pg.types.getTypeParser(oid) as Parser),
}

/** A time as PostgreSQL writes it in UTC, the time zone of every session. */
const UTC_TIME = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00$/
const MIN_TIME = '0001-01-01T00:00:00.000Z'
const MAX_TIME = '9999-12-31T23:59:59.999Z'

/**
 * Converts a time of the database to ISO 8601, whose years have four digits. `infinity` and later years become the last
 * moment of those years, earlier ones the first: such values are set by hand, for example to suspend an account forever.
 */
function toIsoTime(text: string): string {
  // a list has several times in each row, and going through a Date takes ten times as long
  const [, day, time, fraction = ''] = UTC_TIME.exec(text) ?? []
  if (day !== undefined) return `${day}T${time}.${fraction.slice(0, 3).padEnd(3, '0')}Z`
  if (/^\d{4}-/.test(text) && !text.endsWith('BC')) return new Date(text).toISOString()
  return text.startsWith('-') || text.endsWith('BC') ? MIN_TIME : MAX_TIME
}

/** A parameter as it is sent: text, bytes, or null. */
export type EncodedValue = string | Buffer | null

/** Returns the type to declare for a parameter, or 0 where PostgreSQL finds it out from the statement. */
export const inferType = (value: unknown): number =>
  typeof value === 'boolean'
    ? OID.bool
    : typeof value === 'bigint'
      ? OID.int8
      : value instanceof Date
        ? OID.timestamptz
        : value instanceof Uint8Array
          ? OID.bytea
          : 0

/** A parameter that was made JSON, which a text or an array would not be by itself. */
export class JsonParameter {
  readonly text: string | null
  readonly type = OID.jsonb

  constructor(value: unknown) {
    this.text = value === null ? null : JSON.stringify(value)
  }
}

/** Encodes a parameter. Throws for undefined, which is a forgotten value and not null, and for objects that are no JSON. */
export function encodeValue(value: unknown): EncodedValue {
  if (value === null || typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return encodeArray(value)
  if (Buffer.isBuffer(value)) return value
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  if (value instanceof Date) return value.toISOString()
  if (value instanceof JsonParameter) return value.text
  throw new TypeError(`a parameter of a statement is ${value === undefined ? 'undefined' : 'an object'}`)
}

const encodeArray = (items: readonly unknown[]): string => `{${items.map(encodeElement).join(',')}}`

function encodeElement(item: unknown): string {
  if (item === null) return 'NULL'
  if (Array.isArray(item)) return encodeArray(item)
  if (item instanceof Uint8Array) return `"\\\\x${Buffer.from(item).toString('hex')}"`
  return `"${String(encodeValue(item)).replace(/["\\]/g, '\\$&')}"`
}
