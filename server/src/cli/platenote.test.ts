import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runCommand } from '../test/product.ts'
import { type Command, UsageError } from './command.ts'

test('each command that is listed says what it does, its exit codes and an example, without a setting or a database', async () => {
  const list = await runCommand('--help', [], {})
  assert.deepEqual([list.code, list.err], [0, ''])
  const names = [...list.out.matchAll(/^ {2}([a-z-]+) {2,}\S/gm)].map(([, name]) => name!)
  assert.deepEqual(
    names,
    ['start', 'admin', 'backup', 'restore', 'doctor', 'mails', 'migrate', 'rotate-keys', 'seed', 'healthcheck'],
    list.out,
  )
  for (const name of names.slice(1)) {
    const { command } = (await import(`./${name}.ts`)) as { command: Command }
    assert.match(command.help, helpOf(name))
  }
  const { code, out, err } = await runCommand('start', ['--help'], { NODE_ENV: 'production' })
  assert.deepEqual([code, err], [0, ''])
  assert.match(out, helpOf('start'))
})
const helpOf = (name: string) =>
  new RegExp(`^Usage: platenote ${name}\\b[\\s\\S]+\\nExit codes: 0 [\\s\\S]+\\nExample: .*platenote ${name}\\b`)

test('the doctor ends with 1 where something fails, and has said everything by then', async () => {
  const { code, out, err } = await runCommand('doctor', [], { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })
  assert.deepEqual([code, err], [1, ''])
  assert.match(out, /\nFAIL {2}database [\s\S]+\nFAIL: \d+, warn: \d+\.\n$/)
})

test('a call that makes no sense is one line that leads to the help, and exit code 2', async () => {
  for (const [line, command, ...args] of [
    [/^platenote: there is no command bakcup; platenote --help lists the commands\n$/, 'bakcup'],
    [/^platenote doctor: Unknown option '--fix'; platenote doctor --help says how it is called\n$/, 'doctor', '--fix'],
    [/^platenote backup: it takes one folder; platenote backup --help says how it is called\n$/, 'backup'],
  ] as [line: RegExp, command: string, ...args: string[]][]) {
    const { code, out, err } = await runCommand(command, args, {})
    assert.deepEqual([code, out], [2, ''], command)
    assert.match(err, line)
  }
  for (const [line, name, ...args] of [
    [/^the action is one of grant, revoke, /, 'admin', 'promote', 'you@example.com'],
    [/^grant takes an email address$/, 'admin', 'grant', 'nobody'],
    [/^there is too much after list$/, 'admin', 'list', 'x'],
    [/^nothing follows retry$/, 'mails', 'retry', 'all'],
    [/^--hangs-for takes a number of seconds$/, 'healthcheck', '--hangs-for=soon'],
  ] as [line: RegExp, name: string, ...args: string[]][]) {
    const { command } = (await import(`./${name}.ts`)) as { command: Command }
    await assert.rejects(command.run(args), (error) => error instanceof UsageError && line.test(error.message), name)
  }
})
