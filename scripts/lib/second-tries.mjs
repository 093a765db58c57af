// Counts the tests of a run that needed a second try. Each step that has second tries adds its number to the file that
// SECOND_TRIES_FILE names, and `npm test` prints the sum last.

import { appendFileSync, existsSync, readFileSync } from 'node:fs'

/** Adds the second tries of a step to the run's; does nothing in a step that is run alone. */
export function addSecondTries(count) {
  if (process.env.SECOND_TRIES_FILE) appendFileSync(process.env.SECOND_TRIES_FILE, `${count}\n`)
}

/** Returns the second tries of all steps that have ended. */
export const sumSecondTries = (file) =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .reduce((sum, line) => sum + Number(line), 0)
    : 0
