import { ConfigError } from '../config.ts'
import { examine } from '../doctor/examine.ts'
import { runCli } from './run.ts'

// npm run doctor: checks everything an installation stands on, and says what to do. Changes nothing, and works while a server is
// running.

const print = (line: string) => process.stdout.write(`${line}\n`)

await runCli(async () => {
  if (process.argv.length > 2)
    throw new ConfigError('usage: npm run doctor (it takes what it checks from the settings)')
  const { failed, warned } = await examine(process.env, print)
  if (failed > 0) process.exitCode = 1
  print(failed + warned === 0 ? 'Everything is fine.' : `FAIL: ${failed}, warn: ${warned}.`)
})
// a server that does not answer, or a disk, would hold up the end: everything is said
process.stdout.write('', () => process.exit())
