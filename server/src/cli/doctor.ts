import { parseArgs } from 'node:util'
import { examine } from '../doctor/examine.ts'
import type { Command } from './command.ts'

const print = (line: string) => process.stdout.write(`${line}\n`)

export const command: Command = {
  help: `Usage: platenote doctor

Checks everything an installation stands on: settings, database, store of photos, mail, certificate, keys, clock, disk, backups
and workers. Prints a line for each, 'ok', 'warn' or 'FAIL' with what to do, and no secret. Changes nothing, sends nothing, and
works before the first start and while servers are running.

Exit codes: 0 nothing fails; 1 something does.

Example: platenote doctor
`,
  async run(args) {
    parseArgs({ args })
    const { failed, warned } = await examine(process.env, print)
    if (failed > 0) process.exitCode = 1
    print(failed + warned === 0 ? 'Everything is fine.' : `FAIL: ${failed}, warn: ${warned}.`)
    // a server that does not answer, or a disk, would hold up the end: everything is said
    process.stdout.write('', () => process.exit())
  },
}
