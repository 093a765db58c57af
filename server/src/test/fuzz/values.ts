import fc from 'fast-check'

/** A JSON Schema as the OpenAPI document has it; only what our schemas use. */
export type Schema = {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

/** Texts that have broken software before. */
const HOSTILE_TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\udfff\ud800',
  '\u202etxt',
  '\u200b\u200d\ufeff',
  '\u0301'.repeat(500),
  'İıŞßﬃ',
  '👩‍👩‍👧‍👦🇨🇦',
  "'; drop table auth.users; --",
  '" or 1=1 --',
  '<script>alert(1)</script>',
  '{{7*7}}<%= 7*7 %>',
  '%s%n%x',
  '%00%ff%2e%2e',
  '../../../../etc/passwd',
  'x\r\nSet-Cookie: a=b',
  '__proto__',
  'constructor',
  'toString',
  '-1',
  '1e309',
  'NaN',
  'null',
  '[object Object]',
  '9'.repeat(400),
  '0000-00-00T00:00:00Z',
  '9999-12-31T23:59:59.999999Z',
  '275760-09-13T00:00:00.001Z',
  '00000000-0000-0000-0000-000000000000',
  'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
  'a@b',
  `${'a'.repeat(64)}@${'b'.repeat(63)}.example.com`,
  'A'.repeat(2_001),
  'é'.repeat(70_000),
]

export const hostileText = fc.constantFrom(...HOSTILE_TEXTS)
const anyText = fc.oneof(
  { weight: 3, arbitrary: fc.string({ maxLength: 60 }) },
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  { weight: 2, arbitrary: hostileText },
)

const deepValue = fc
  .constantFrom(100, 2_000)
  .map((depth) => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown)

/** Any JSON value, mostly of the wrong type for whatever it is put into. */
export const wrongValue: fc.Arbitrary<unknown> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 1e308, 2 ** 53, -0, [], {}, [[]], [null], {
      length: 1,
    }),
  },
  { weight: 4, arbitrary: anyText },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: deepValue },
)

/**
 * Makes values of a schema: mostly valid, and mostly of things that exist and that the name of the field asks for.
 *
 * @param ids the ids of each table
 * @param words what else means something to the server, by the part of a field's name that asks for it
 */
export function makeValueArbitrary(
  ids: Record<string, string[]>,
  words: Record<string, string[]>,
): (schema: Schema, name?: string) => fc.Arbitrary<unknown> {
  const allIds = Object.values(ids).flat()
  const knownText = fc.constantFrom(...allIds, ...Object.values(words).flat())
  /** Returns what a field of this name is about: `plate`, `attachment_id`, or `vehicles_id` for the id in `/vehicles/:id`. */
  const named = (name: string): string[] => {
    const thing = name.replace(/_?id$/i, '').replace(/s$/, '')
    const tables = Object.entries(ids).filter(([table]) => thing !== '' && table.includes(thing))
    const kinds = Object.entries(words).filter(([word]) => name.toLowerCase().includes(word))
    return [...tables, ...kinds].flatMap(([, texts]) => texts)
  }
  const matching = (pattern: string): fc.Arbitrary<string>[] => {
    try {
      return [fc.stringMatching(new RegExp(pattern))]
    } catch {
      return [] // what the generator cannot read
    }
  }

  const text = ({ format, pattern, minLength = 0, maxLength = 100 }: Schema, name: string): fc.Arbitrary<unknown> => {
    const plain = fc.oneof(
      fc.constant('Your lights are on'),
      fc.string({ unit: 'grapheme', minLength, maxLength: Math.max(minLength, Math.min(maxLength, 300)) }),
    )
    const asked = named(name)
    const fitting = [
      ...(format === 'uuid' ? [fc.constantFrom(...allIds), fc.uuid()] : []),
      ...(format === 'email' ? [fc.emailAddress()] : []),
      ...(format === 'date-time' ? [fc.date({ noInvalidDate: true }).map((date) => date.toISOString())] : []),
      ...(pattern && !format ? matching(pattern) : []),
    ]
    return fc.oneof(
      ...(asked.length > 0 ? [{ weight: 12, arbitrary: fc.constantFrom(...asked) }] : []),
      { weight: 3, arbitrary: fitting.length > 0 ? fc.oneof(...fitting) : plain },
      { weight: 1, arbitrary: knownText },
      { weight: 1, arbitrary: anyText },
    )
  }

  const number = ({ type, minimum = -1_000, maximum = 1_000 }: Schema): fc.Arbitrary<unknown> => {
    const [min, max] = [Math.max(minimum, -1e9), Math.min(maximum, 1e9)]
    const edges = fc.constantFrom(minimum, maximum, minimum - 1, maximum + 1, 0, 2 ** 31, 2 ** 63)
    const inside =
      type === 'integer'
        ? fc.integer({ min: Math.ceil(min), max: Math.floor(max) })
        : fc.double({ min, max, noNaN: true })
    return fc.oneof({ weight: 3, arbitrary: inside }, { weight: 1, arbitrary: edges })
  }

  const object = ({ properties = {}, required = [] }: Schema): fc.Arbitrary<unknown> => {
    const fields = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, value(schema, name)]))
    const least = Object.fromEntries(Object.entries(fields).filter(([name]) => required.includes(name)))
    return fc.oneof(
      fc.record(least, { noNullPrototype: true }),
      fc.record(fields, { requiredKeys: required, noNullPrototype: true }),
    )
  }

  const value = (schema: Schema, name = ''): fc.Arbitrary<unknown> => {
    const { enum: allowed, anyOf, oneOf, allOf, items } = schema
    if ('const' in schema) return fc.constant(schema.const)
    if (allowed) {
      const asked = allowed.filter((one) => named(name).includes(String(one)))
      return fc.constantFrom(...allowed, ...asked.flatMap((one) => Array<unknown>(allowed.length * 2).fill(one)))
    }
    const choices = anyOf ?? oneOf ?? allOf
    if (choices) return fc.oneof(...choices.map((choice) => value(choice, name)))
    const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
    if (type === 'string') return text(schema, name)
    if (type === 'integer' || type === 'number') return number(schema)
    if (type === 'boolean') return fc.boolean()
    if (type === 'null') return fc.constant(null)
    if (type === 'array')
      return fc.array(value(items ?? {}, name), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 5, 20),
      })
    if (type === 'object' || schema.properties) return object(schema)
    return fc.oneof(knownText, wrongValue)
  }
  return value
}
