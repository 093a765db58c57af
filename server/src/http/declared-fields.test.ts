import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as z from 'zod/mini'
import { parseResponse } from './declared-fields.ts'

const Inner = z.object({ id: z.uuid(), at: z.iso.datetime() })
const Response = z.object({
  list: z.array(Inner),
  one: z.nullable(Inner),
  maybe: z.optional(Inner),
  either: z.union([z.object({ a: z.string() }), z.object({ b: z.number() })]),
  kind: z.discriminatedUnion('type', [
    z.object({ type: z.literal('x'), x: Inner }),
    z.object({ type: z.literal('y') }),
  ]),
})
const inner = { id: '01900000-0000-7000-8000-000000000001', at: '2026-11-24T10:00:00.123Z' }
const declared = { list: [inner], one: inner, maybe: inner, either: { b: 1 }, kind: { type: 'x', x: inner } }

/** Adds a field that nobody declared to every object in a value. */
function addUndeclared(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(addUndeclared)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([name, field]) => [name, addUndeclared(field)])
  return { ...Object.fromEntries(fields), undeclared: 'nobody declared this' }
}

test('what a response does not declare is left out, wherever it is', () => {
  assert.deepEqual(parseResponse(Response, addUndeclared(declared)), declared)
  const empty = { list: [], one: null, either: { a: 'a' }, kind: { type: 'y' } }
  assert.deepEqual(parseResponse(Response, addUndeclared(empty)), empty)
})

test('a value of another type is refused, and what a schema checks or transforms stays as it is', () => {
  for (const wrong of [
    { list: [{ ...inner, at: 'today' }] },
    { one: { id: 'x' } },
    { either: { b: '1' } },
    { kind: {} },
  ])
    assert.throws(() => parseResponse(Response, { ...declared, ...wrong }), z.core.$ZodError)
  const Checked = z
    .strictObject({ a: z._default(z.string().check(z.trim()), 'b') })
    .check(z.refine(({ a }) => a !== ''))
  assert.deepEqual(parseResponse(Checked, { a: ' a ' }), { a: 'a' })
  assert.deepEqual(parseResponse(Checked, {}), { a: 'b' })
  for (const wrong of [{ a: '' }, { a: 'a', c: 'd' }]) assert.throws(() => parseResponse(Checked, wrong))
})
