import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { publicRoute } from './route.ts'

const Inner = z.object({ id: z.uuid(), at: z.iso.datetime() })
const Output = z.object({
  list: z.array(z.union([Inner, z.object({ b: z.number() })])),
  one: z.nullable(Inner),
  maybe: z.optional(Inner),
  kind: z.discriminatedUnion('type', [
    z.object({ type: z.literal('x'), x: Inner }),
    z.object({ type: z.literal('y') }),
  ]),
})
const inner = { id: '01900000-0000-7000-8000-000000000001', at: '2026-11-24T10:00:00.123Z' }
const declared = { list: [inner, { b: 1 }], one: inner, maybe: inner, kind: { type: 'x', x: inner } } as const

/** Adds a field that nobody declared to every object in a value. */
function addUndeclared<T>(value: T): T {
  if (Array.isArray(value)) return value.map(addUndeclared) as T
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([name, field]) => [name, addUndeclared(field)])
  return { ...Object.fromEntries(fields), undeclared: 'nobody declared this' }
}

test('what a response does not declare is left out, wherever it is, and a value of another type fails the call', async () => {
  const app = Fastify()
  let answer: unknown
  const look = endpoint({ method: 'GET', path: '/look', audience: 'public', summary: 'Looks.', output: Output })
  publicRoute(app, look, async () => answer as z.input<typeof Output>)
  const read = async (value: unknown) => {
    answer = value
    const response = await app.inject('/look')
    return [response.statusCode, response.json()]
  }
  const empty = { list: [], one: null, kind: { type: 'y' } }
  for (const value of [declared, empty]) assert.deepEqual(await read(addUndeclared(value)), [200, value])
  for (const wrong of [{ list: [{ ...inner, at: 'today' }] }, { one: { id: 'x' } }, { kind: {} }])
    assert.equal((await read({ ...declared, ...wrong }))[0], 500)
})
