// Collects what `npm test` prints last, so that a log that keeps only its end still says what has to be looked at: the tests that
// failed, also those that passed when they were repeated. Each step adds its own to the file that FAULTY_TESTS_FILE names.

import { appendFileSync, existsSync, readFileSync } from 'node:fs'

/** Adds the second tries of a step and the lines that name its failed tests; does nothing in a step that is run alone. */
export function recordFaultyTests(secondTries, lines) {
  const file = process.env.FAULTY_TESTS_FILE
  if (file && (secondTries > 0 || lines.length > 0)) appendFileSync(file, `${JSON.stringify({ secondTries, lines })}\n`)
}

/** Returns the number of second tries, and the lines, of all steps that have ended. */
export function readFaultyTests(file) {
  const records = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(JSON.parse) : []
  return {
    secondTries: records.reduce((sum, record) => sum + record.secondTries, 0),
    lines: records.flatMap((record) => record.lines),
  }
}
