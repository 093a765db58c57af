import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import * as z from 'zod/mini'
import type { EndpointDefinition } from '#contract/endpoint.ts'
import { parseResponse } from './declared-fields.ts'
import { definitionOf } from './route.ts'

const CONTRACT = join(import.meta.dirname, '../../../contract/src')
const SECRET = 'nobody declared this'

const isEndpoint = (value: unknown): value is EndpointDefinition =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'audience' in value

const modules: object[] = await Promise.all(
  globSync('!(*.test).ts', { cwd: CONTRACT }).map((file) => import(pathToFileURL(join(CONTRACT, file)).href)),
)
/** Those whose response is JSON. */
const endpoints = modules
  .flatMap((module) => Object.values(module))
  .filter(isEndpoint)
  .map(definitionOf)
  .filter(({ responseType }) => responseType === undefined)

/** Each text and number of a response is one of these. */
const SCALARS = [
  'a text',
  '01900000-0000-7000-8000-000000000001',
  '2026-11-24T10:00:00.123Z',
  '2026-11-24',
  '22:00',
  'America/Toronto',
  'somebody@example.com',
  'https://example.com/a',
  '123456',
  3,
]

/** Returns values that a schema accepts, between them with every option and null, and with an undeclared field in each object. */
function samplesOf(schema: z.core.$ZodType): unknown[] {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'object': {
      const fields = Object.entries(def.shape).map(([name, field]) => [name, samplesOf(field)] as const)
      const count = Math.max(1, ...fields.map(([, samples]) => samples.length))
      return Array.from({ length: count }, (_, i) => ({
        undeclared: SECRET,
        ...Object.fromEntries(fields.map(([name, samples]) => [name, samples[i % samples.length]])),
      }))
    }
    case 'array':
      return [samplesOf(def.element), []]
    case 'union':
      return def.options.flatMap(samplesOf)
    case 'nullable':
      return [...samplesOf(def.innerType), null]
    case 'optional':
      return [...samplesOf(def.innerType), undefined]
    case 'record':
      return [Object.fromEntries(samplesOf(def.keyType).map((key) => [key, samplesOf(def.valueType)[0]]))]
    case 'enum':
    case 'literal':
      return [...schema._zod.values!]
    case 'string':
    case 'number':
      return [SCALARS.find((scalar) => z.safeParse(schema, scalar).success)]
    case 'boolean':
      return [true, false]
    case 'void':
      return [undefined]
    case 'unknown':
      return ['anything']
    default:
      throw new Error(`no samples of ${def.type} yet`)
  }
}

/** Yields copies of a value in which one of the values inside it has a type that no schema here accepts. */
function* spoil(value: unknown): Generator<unknown> {
  yield Symbol('of no type that is ever sent')
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) for (const spoilt of spoil(item)) yield value.with(i, spoilt)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, field] of Object.entries(value)) {
      if (name !== 'undeclared') for (const spoilt of spoil(field)) yield { ...value, [name]: spoilt }
    }
  }
}

/** Returns the JSON of a response, or that it is refused. */
function outcomeOf(parse: () => unknown): string | undefined {
  try {
    return JSON.stringify(parse())
  } catch (error) {
    assert.ok(error instanceof z.core.$ZodError, String(error))
    return 'refused'
  }
}

test('no endpoint lets anything out that its response does not declare', () => {
  assert.ok(endpoints.length > 80)
  for (const { method, path, output } of endpoints) {
    for (const sample of samplesOf(output)) {
      const sent = JSON.stringify(parseResponse(output, sample)) ?? ''
      assert.ok(!sent.includes(SECRET), `${method} ${path}`)
      assert.equal(sent, JSON.stringify(z.parse(output, sample)) ?? '', `${method} ${path}`)
    }
  }
})

test('a response with a value of another type is refused wherever the value is', () => {
  let refused = 0
  for (const { method, path, output } of endpoints) {
    for (const sample of samplesOf(output)) {
      for (const spoilt of spoil(sample)) {
        const outcome = outcomeOf(() => parseResponse(output, spoilt))
        assert.equal(
          outcome,
          outcomeOf(() => z.parse(output, spoilt)),
          `${method} ${path}`,
        )
        if (outcome === 'refused') refused++
      }
    }
  }
  assert.ok(refused > 1_000, `only ${refused} were refused`)
})

test('a text, number or time that only looks like the declared one is refused', () => {
  const cases: [schema: z.ZodMiniType, value: unknown][] = [
    [z.uuid(), '01900000-0000-7000-8000'],
    [z.iso.datetime(), '2026-11-24 10:00:00+00'],
    [z.number(), Number.NaN],
    [z.number(), '3'],
    [z.int(), 1.5],
    [z.string().check(z.maxLength(3)), 'four'],
    [z.enum(['a', 'b']), 'toString'],
    [z.object({ id: z.string() }), ['a']],
    [z.object({ id: z.string() }), {}],
    [z.strictObject({ id: z.string() }), { id: 'a', other: 1 }],
  ]
  for (const [schema, value] of cases)
    assert.equal(
      outcomeOf(() => parseResponse(schema, value)),
      'refused',
    )
})

test('a schema that transforms a value transforms it in a response too', () => {
  assert.equal(parseResponse(z.coerce.number(), '3'), 3)
  assert.equal(parseResponse(z.string().check(z.trim()), ' a '), 'a')
  assert.deepEqual(parseResponse(z.object({ a: z._default(z.string(), 'b') }), {}), { a: 'b' })
  assert.deepEqual(parseResponse(z.looseObject({ a: z.string() }), { a: 'b', c: 'd' }), { a: 'b', c: 'd' })
})
