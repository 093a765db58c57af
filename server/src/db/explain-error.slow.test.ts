import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { temporaryFolder } from '../test/closing.ts'
import { findFreePort } from '../test/free-port.ts'
import { openTestDatabase } from '../test/open-database.ts'
import { runCommand, spawnProduct } from '../test/product.ts'
import { MINUTE_MS, withTimeout } from '../time.ts'

const folder = temporaryFolder('platenote-away-')
const { db, ...database } = await openTestDatabase()
/** What a start writes and what the command deletes meet an error there. */
const { db: failingDb, ...failing } = await openTestDatabase()

const suffix = randomBytes(4).toString('hex')
const ROLES = { reader: `reader_${suffix}`, stranger: `stranger_${suffix}` }
await db.unsafe(`
  create role ${ROLES.reader} login superuser;
  alter role ${ROLES.reader} set default_transaction_read_only = on;
  create role ${ROLES.stranger} login;`)

/** Lets both meet an error with this code. */
const failWith = (code: string) =>
  failingDb.unsafe(`
    create or replace function fail() returns trigger language plpgsql as $$
      begin raise exception 'made to fail' using errcode = '${code}'; end $$;
    create or replace trigger fail before insert on encryption_keys execute function fail();
    create or replace trigger fail before delete on auth.sessions execute function fail();`)

/** A server that is in recovery, as one says to whoever connects. */
const starting = createServer((socket) => {
  socket.on('error', () => {})
  socket.once('data', () => {
    const fields = Buffer.from('SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0')
    const head = Buffer.alloc(5)
    head.write('E')
    head.writeInt32BE(fields.length + 4, 1)
    socket.end(Buffer.concat([head, fields]))
  })
}).listen(0, '127.0.0.1')
await once(starting, 'listening')

after(async () => {
  starting.close()
  for (const role of Object.values(ROLES)) await db.unsafe(`drop role ${role}`)
})

function as(role: string): string {
  const url = new URL(database.url)
  url.username = role
  return url.href
}

function withOptions(options: Record<string, string>): string {
  const url = new URL(database.url)
  for (const [name, value] of Object.entries(options)) url.searchParams.set(name, value)
  return url.href
}

const at = (port: number) => `postgres://somebody:secret@127.0.0.1:${port}/nothing`
const { port: startingPort } = starting.address() as AddressInfo

/** Starts the server, and runs the command of an emergency. Both write. */
async function startAndCommand(DATABASE_URL: string) {
  const env = { DATABASE_URL, DATA_DIR: join(folder, 'data'), ROLE: 'worker', PORT: '0' }
  const server = spawnProduct(env, { cwd: folder })
  const [[status], command] = await Promise.all([
    withTimeout(server.ended, MINUTE_MS),
    runCommand('admin', ['sign-out-everybody'], env),
  ])
  assert.deepEqual([status, server.out(), command.code, command.out], [1, '', 1, ''])
  assert.doesNotMatch(server.err() + command.err, /secret/)
  return { start: server.err().trimEnd(), command: command.err.trimEnd() }
}

describe('a database that is away, refuses or is full: one line says why and what to do', () => {
  const SITUATIONS: [what: string, url: () => string | Promise<string>, line: RegExp][] = [
    [
      'it does not run',
      async () => at(await findFreePort()),
      /^the database at 127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\): start it, or correct the host, port/,
    ],
    ['it is starting', () => at(startingPort), /^\S.* is starting or stopping \(57P03\): try again$/],
    [
      'it is a standby, or was made read-only',
      () => as(ROLES.reader),
      /^\S.* can only be read \(25006\): let DATABASE_URL lead to the primary/,
    ],
    [
      'the role has no rights',
      () => as(ROLES.stranger),
      /^\S.* does not give PlateNote a right it needs \(42501, permission denied for \w+ \w+\): platenote doctor/,
    ],
    [
      'it does not encrypt',
      () => withOptions({ sslmode: 'require' }),
      /^\S.* does not encrypt \(NO_TLS\): switch ssl on/,
    ],
    [
      'the certificate of its authority is not there',
      () => withOptions({ sslmode: 'verify-full', sslrootcert: '/nowhere/ca.pem' }),
      /^sslrootcert in DATABASE_URL names \/nowhere\/ca\.pem, which cannot be read \(ENOENT\): correct the path/,
    ],
    [
      'its disk is full',
      async () => {
        await failWith('53100')
        return failing.url
      },
      /^\S.* has no space left on its disk \(53100\): enlarge it, and try again$/,
    ],
  ]
  for (const [what, url, line] of SITUATIONS) {
    test(what, async () => {
      const { start, command } = await startAndCommand(await url())
      assert.match(command, line)
      assert.equal(command.split('\n').length, 1, command)
      // which table is refused first is another
      const table = /for table \w+/
      assert.equal(start.replace(table, ''), `PlateNote: ${command.replace(table, '')}`)
    })
  }
})

test('an error that nobody expects keeps its stack', async () => {
  await failWith('22012')
  const { start, command } = await startAndCommand(failing.url)
  assert.match(start, /^PlateNote could not start\.\nerror: made to fail\n {4}at /)
  assert.match(command, /^error: made to fail\n {4}at /)
})
