import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSample, cycleDays } from './sample.mjs'

const choices = ['en light', 'en dark', 'fr light', 'fr dark']
const on = (seed) => createSample({ TEST_SEED: seed })

test('as many days in a row as there are choices run every choice once', () => {
  const days = ['2026-12-30', '2026-12-31', '2027-01-01', '2027-01-02']
  for (const name of ['the landing page', 'the dashboard', '']) {
    const picked = days.flatMap((day) => on(day).pick(name, choices))
    assert.deepEqual(picked.toSorted(), choices.toSorted())
  }
})

test('as many days in a row as there are parts run every part once, and no day runs all', () => {
  const pages = ['/', '/send', '/login', '/signup', '/contact-us']
  for (const parts of [2, 3]) {
    const days = ['2026-12-31', '2027-01-01', '2027-01-02'].slice(0, parts)
    const taken = days.map((day) => on(day).part('the keyboard', pages, parts))
    assert.deepEqual(taken.flat().toSorted(), pages.toSorted())
    for (const part of taken) assert.ok(part.length < pages.length)
  }
  assert.deepEqual(createSample({ TEST_FULL: '1' }).part('the keyboard', pages, 3), pages)
})

test('a seed repeats its choice and its random numbers', () => {
  for (const seed of ['2026-11-22', 'any other text']) {
    assert.deepEqual(on(seed).pick('a page', choices), on(seed).pick('a page', choices))
    const [first, again] = [on(seed).random('kills'), on(seed).random('kills')]
    const numbers = Array.from({ length: 100 }, first)
    assert.deepEqual(Array.from({ length: 100 }, again), numbers)
    assert.ok(numbers.every((number) => number >= 0 && number < 1))
    assert.ok(Math.min(...numbers) < 0.1 && Math.max(...numbers) > 0.9)
  }
  assert.notEqual(on('2026-11-22').random('kills')(), on('2026-11-23').random('kills')())
  assert.notEqual(on('2026-11-22').random('kills')(), on('2026-11-22').random('other kills')())
})

test('in every cycle a test has its turn on one day, and these differ between tests and between cycles', () => {
  const firstDays = Array.from({ length: 40 }, (_, cycle) => cycleDays * (5_000 + cycle))
  const turnsOf = (name) =>
    firstDays.map((first) => {
      const days = Array.from({ length: cycleDays }, (_, i) => new Date((first + i) * 86_400_000).toISOString())
      const turns = days.map((day) => createSample({ TEST_SEED: day.slice(0, 10), TEST_TURNS: '1' }).hasTurn(name))
      assert.equal(turns.filter(Boolean).length, 1)
      return turns.indexOf(true)
    })
  const turns = Array.from({ length: 40 }, (_, i) => turnsOf(`test ${i}`))
  for (const ofOne of turns) assert.equal(new Set(ofOne).size, cycleDays)
  assert.equal(new Set(turns.map(([first]) => first)).size, cycleDays)
})

test('tests wait for their turn only where they are told to, and never in a whole run', () => {
  for (const env of [{ TEST_SEED: '2026-11-22' }, { TEST_SEED: '2026-11-22', TEST_FULL: '1', TEST_TURNS: '1' }])
    for (let i = 0; i < 20; i++) assert.ok(createSample(env).hasTurn(`test ${i}`))
})

test('one day chooses differently for different names', () => {
  const names = Array.from({ length: 40 }, (_, i) => `page ${i}`)
  const picked = new Set(names.flatMap((name) => on('2026-11-22').pick(name, choices)))
  assert.equal(picked.size, choices.length)
})

test('without a seed it is the date in UTC', () => {
  assert.match(createSample({}).seed, /^\d{4}-\d\d-\d\d$/)
  assert.equal(createSample({ TEST_SEED: '' }).seed, createSample({}).seed)
})

test('a whole run takes all choices and all rounds', () => {
  const whole = createSample({ TEST_SEED: '2026-11-22', TEST_FULL: '1' })
  assert.deepEqual(whole.pick('a page', choices), choices)
  assert.equal(whole.rounds(10, 3), 10)
  assert.equal(on('2026-11-22').rounds(10, 3), 3)
})

test('the description says how to repeat the choice and how to run everything', () => {
  assert.match(on('2026-11-22').description, /TEST_SEED=2026-11-22 npm test .*npm run test:full/)
  assert.match(createSample({ TEST_SEED: '2026-11-22', TEST_FULL: '1' }).description, /^Everything/)
})
