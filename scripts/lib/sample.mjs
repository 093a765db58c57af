// Chooses the part of the exhaustive tests that `npm test` runs: another part every day, so that a few days in a row run
// everything. TEST_SEED names the day (today when left out), TEST_FULL=1 runs everything at once. TEST_TURNS=1 makes whole tests
// wait for their day, which only `npm test` wants: who names a test runs it.

const dayMs = 86_400_000

/** Tests that take turns run once in so many days. */
export const cycleDays = 7

/** The choices of this run. */
export const sample = createSample(process.env)

/** Creates the choices for an environment; other days and a whole run differ in nothing else. */
export function createSample({ TEST_SEED, TEST_FULL, TEST_TURNS }) {
  const seed = TEST_SEED || new Date().toISOString().slice(0, 10)
  const runsAll = TEST_FULL === '1'
  const takesTurns = TEST_TURNS === '1' && !runsAll
  /** Returns a number from 0 to count - 1 that goes up by one each day; names begin their cycles on different days. */
  const turn = (name, count) => (hash(name) + dayNumber(seed)) % count
  return {
    seed,
    runsAll,
    takesTurns,
    turn,
    /** Returns all choices in a whole run, otherwise the one whose day it is. */
    pick: (name, choices) => (runsAll ? choices : [choices[turn(name, choices.length)]]),
    /** Returns all choices in a whole run, otherwise every `parts`-th: as many days in a row take each of them once. */
    part: (name, choices, parts) => (runsAll ? choices : choices.filter((_, i) => i % parts === turn(name, parts))),
    /**
     * Returns whether a test that takes turns runs today: once in each cycle, and not always on the same day of it. That would keep
     * pace with the cycles of `pick` and `part` within the test, which then always took the same of their choices.
     */
    hasTurn(name) {
      const day = dayNumber(seed)
      return !takesTurns || hash(`${name} ${Math.floor(day / cycleDays)}`) % cycleDays === day % cycleDays
    },
    /** Returns how often to repeat something: `all` in a whole run, otherwise `some`. */
    rounds: (all, some) => (runsAll ? all : some),
    /** Returns numbers like Math.random, the same ones for the same name and seed. */
    random: (name) => randomNumbers(hash(`${name} ${seed}`)),
    /** One line that says what runs, and how to repeat it. */
    description: runsAll
      ? `Everything runs, nothing is sampled (random numbers: TEST_SEED=${seed}).`
      : `Sample of ${seed}: TEST_SEED=${seed} npm test repeats it, npm run test:full runs everything.`,
  }
}

/** Returns the days since 1970 of a date; any other seed stands for some day. */
const dayNumber = (seed) => (/^\d{4}-\d\d-\d\d$/.test(seed) ? Date.parse(seed) / dayMs : hash(seed))

/** Hashes a text (FNV-1a, 32 bits). */
function hash(text) {
  let value = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) value = Math.imul(value ^ byte, 0x01000193) >>> 0
  return value
}

/** Returns a generator of numbers like Math.random (mulberry32). */
function randomNumbers(state) {
  let current = state
  return () => {
    current = (current + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(current ^ (current >>> 15), current | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
