import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import * as z from 'zod/mini'
import type { EndpointDefinition } from '#contract/endpoint.ts'
import { testApp } from '../test/app.ts'
import { fieldText } from './field-texts.ts'
import { parseFields } from './parse-fields.ts'
import { definitionOf } from './route.ts'

// What is said of a field that has a value of another type: what the field wants, for every field of the contract.

const CONTRACT = join(import.meta.dirname, '../../../contract/src')
const isEndpoint = (value: unknown): value is EndpointDefinition =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'audience' in value
const modules: object[] = await Promise.all(
  globSync('!(*.test).ts', { cwd: CONTRACT }).map((file) => import(pathToFileURL(join(CONTRACT, file)).href)),
)
// the auth protocol has its own errors, which name one field
const endpoints = modules
  .flatMap((module) => Object.values(module))
  .filter(isEndpoint)
  .map(definitionOf)
  .filter(({ path, requestType }) => !path.startsWith('/auth/') && requestType === undefined)

type Schema = {
  type?: string
  const?: unknown
  properties?: Record<string, Schema>
  items?: Schema
  oneOf?: Schema[]
  anyOf?: Schema[]
}

const VALUES: Record<string, unknown[]> = {
  string: ['x'],
  number: [7, 0.5],
  boolean: [true],
  array: [[]],
  object: [{}],
}
/** Returns values that are of no type the schema has. */
const wrongValues = (schema: Schema, name?: string): unknown[] => {
  if (name === 'limit') return ['x', {}] // a query has text alone, so that whatever reads as a number is one
  const types = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].map(({ type }) =>
    type === 'integer' ? 'number' : type,
  )
  return Object.entries(VALUES).flatMap(([type, values]) => (types.includes(type) ? [] : values))
}

/** Yields an input for every field below a schema and every wrong value: only what leads to the field, and its name. */
function* spoil(schema: Schema): Generator<{ field: string; input: unknown }> {
  for (const shape of schema.oneOf ?? schema.anyOf ?? []) yield* spoil(shape)
  const constants = Object.fromEntries(
    Object.entries(schema.properties ?? {}).flatMap(([name, one]) => ('const' in one ? [[name, one.const]] : [])),
  )
  for (const [name, one] of Object.entries(schema.properties ?? {})) {
    for (const value of wrongValues(one, name)) yield { field: name, input: { ...constants, [name]: value } }
    for (const { field, input } of spoil(one))
      yield { field: `${name}.${field}`, input: { ...constants, [name]: input } }
  }
  if (schema.items) {
    for (const value of wrongValues(schema.items)) yield { field: '0', input: [value] }
    for (const { field, input } of spoil(schema.items)) yield { field: `0.${field}`, input: [input] }
  }
}

test('every field of the contract says what it wants, when it has a value of another type', () => {
  let checked = 0
  for (const { method, path, input: type } of endpoints) {
    for (const { field, input } of spoil(z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' }) as Schema)) {
      const call = `${method} ${path} ${field} ${JSON.stringify(input)}`
      const parsed = parseFields(type, input)
      const error = 'fields' in parsed ? parsed.fields[field] : undefined
      assert.ok(error !== undefined, `${call} says nothing`)
      assert.ok(!['required', 'fields_missing', 'check'].includes(error.code), `${call}: ${error.code}`)
      assert.doesNotMatch(fieldText(error, 'en'), /\bundefined\b/, call)
      checked++
    }
  }
  assert.ok(checked > 300, String(checked))
})

test('a field that is missing is required, null is another type, and an id that is none says so', async () => {
  const app = await testApp()
  const user = await app.user()
  const fields = async (path: string, body: object) => (await user.post(path, body)).body.fields
  const vehicle = { plate: 'ABC123', make: 'Honda', model: 'Civic', registration_year: 2020, province: 'Ontario' }
  assert.deepEqual(await fields('/register-plate', { ...vehicle, registration_year: undefined, make: undefined }), {
    registration_year: 'Required',
    make: 'Required',
  })
  assert.deepEqual(await fields('/register-plate', { ...vehicle, registration_year: null, make: null }), {
    registration_year: 'Must be a number.',
    make: 'Must be text.',
  })
  assert.deepEqual((await user.get('/api/messages/7')).body.fields, { id: 'Must be an ID.' })
  assert.deepEqual((await user.get('/api/messages?limit=many')).body.fields, { limit: 'Must be a number.' })
  assert.deepEqual((await user.get('/api/messages?limit=0')).body.fields, { limit: 'Must be at least 1.' })
  assert.deepEqual((await user.get('/api/messages?limit=101')).body.fields, { limit: 'Must be at most 100.' })
  assert.deepEqual((await user.get('/api/messages?view=all')).body.fields, {
    view: 'Must be one of: received, sent.',
  })
})
