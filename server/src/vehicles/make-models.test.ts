import assert from 'node:assert/strict'
import { test } from 'node:test'
import catalogue from './make-models.json' with { type: 'json' }

const OTHER = 'Other'
const MAX_NAME_LENGTH_CHARACTERS = 40

const models: Record<string, string[]> = catalogue
const makes = Object.keys(models)
const realMakes = makes.filter((make) => make !== OTHER)

/** Sorts as people expect: numbers by value (2 before 10), without case and accents (Škoda between Scion and smart). */
const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' }).compare

/** Two names with the same key look like one vehicle to a person: "S-10" and "s10". */
const lookAlikeKey = (name: string): string => name.toLowerCase().replace(/[\s-]/g, '')

/** Finds the names that repeat an earlier one. */
function findRepeated(names: string[]): string[] {
  const keys = names.map(lookAlikeKey)
  return names.filter((_, index) => keys.indexOf(keys[index] ?? '') !== index)
}

test('at least two hundred makes are listed, each with a model other than "Other"', () => {
  assert.ok(realMakes.length >= 200, `only ${realMakes.length} makes`)
  assert.deepEqual(
    realMakes.filter((make) => (models[make] ?? []).length < 2),
    [],
  )
})

test('"Other" is the last make and the last model of every make, and is nowhere else', () => {
  assert.equal(makes.at(-1), OTHER)
  assert.deepEqual(models[OTHER], [OTHER])
  for (const make of makes) {
    const names = models[make] ?? []
    assert.equal(names.indexOf(OTHER), names.length - 1, make)
  }
})

test('makes and models are sorted as people expect', () => {
  assert.deepEqual(realMakes, realMakes.toSorted(byName))
  for (const make of realMakes) {
    const names = (models[make] ?? []).slice(0, -1)
    assert.deepEqual(names, names.toSorted(byName), make)
  }
})

test('no make is listed twice, and no model twice under its make', () => {
  assert.deepEqual(findRepeated(makes), [])
  for (const make of makes) assert.deepEqual(findRepeated(models[make] ?? []), [], make)
})

test('every name is short, trimmed, single-spaced and in Unicode form NFC', () => {
  for (const name of [...makes, ...Object.values(models).flat()]) {
    assert.notEqual(name, '')
    assert.ok(name.length <= MAX_NAME_LENGTH_CHARACTERS, name)
    assert.equal(name, name.trim().replace(/\s+/g, ' '))
    assert.equal(name, name.normalize('NFC'))
  }
})
