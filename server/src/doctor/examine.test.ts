import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { join, relative } from 'node:path'
import { after, before, test } from 'node:test'
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { listProcesses } from '../health/queries.ts'
import { BACKUP_RUN, beginOperation } from '../jobs/run-record.ts'
import { testApp } from '../test/app.ts'
import { temporaryFolder } from '../test/closing.ts'
import { createEmptyTestDatabase, openTestPool } from '../test/database.ts'
import { eventually } from '../test/eventually.ts'
import { AWS_VARIABLES, startFakeS3 } from '../test/fake-s3.ts'
import { findFreePort } from '../test/free-port.ts'
import { PRODUCTION } from '../test/production-settings.ts'
import { startSmtpInbox } from '../test/smtp-inbox.ts'
import { CERTIFICATE, CERTIFICATE_KEY } from '../test/tls-database.ts'
import { judgeExpiry } from './check-certificate.ts'
import { judgeClock, judgeDisk } from './check-machine.ts'
import { examine } from './examine.ts'
import { createSecretFilter } from './hide-secrets.ts'

const newKey = () => randomBytes(32).toString('base64')
const SECRETS = {
  MASTER_KEY: newKey(),
  JWT_SECRET: newKey(),
  SERVICE_KEY: newKey(),
  AWS_ACCESS_KEY_ID: AWS_VARIABLES.AWS_ACCESS_KEY_ID,
  AWS_SECRET_ACCESS_KEY: AWS_VARIABLES.AWS_SECRET_ACCESS_KEY,
}
const [MAIL_USER, MAIL_PASSWORD, WRONG_PASSWORD] = ['user-of-mail', 'right-password', 'wrong-password']
const DATABASE_PASSWORD = 'password-of-database'
const NEVER_PRINTED = [...Object.values(SECRETS), MAIL_USER, MAIL_PASSWORD, WRONG_PASSWORD, DATABASE_PASSWORD]

const app = await testApp({ settings: { MASTER_KEY: SECRETS.MASTER_KEY } })
const inbox = await startSmtpInbox({
  options: {
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _, response) =>
      username === MAIL_USER && password === MAIL_PASSWORD
        ? response(null, { user: MAIL_USER })
        : response(new Error(`${password} is wrong`)),
  },
})
const folder = temporaryFolder('platenote-doctor-')
/** What browsers reach at PUBLIC_URL. */
const proxy = createTlsServer({ key: CERTIFICATE_KEY, cert: CERTIFICATE }, (socket) =>
  socket.on('error', () => {}),
).listen(0)
await once(proxy, 'listening')
const proxyPort = (proxy.address() as AddressInfo).port
const knownAuthorities = getCACertificates()
setDefaultCACertificates([...knownAuthorities, CERTIFICATE])
after(async () => {
  proxy.close()
  await inbox.close()
})

before(async () => {
  await app.user() // something is encrypted
  const end = await beginOperation(app.db, BACKUP_RUN, true)
  await end(true, null)
  await eventually(async () => ((await listProcesses(app.db)).length > 0 ? true : undefined))
})

const mailUrl = (password: string) => `smtp://${MAIL_USER}:${password}@127.0.0.1:${inbox.port}`

const installation = {
  ...PRODUCTION,
  ...SECRETS,
  PUBLIC_URL: `https://localhost:${proxyPort}`,
  SMTP_URL: mailUrl(MAIL_PASSWORD),
  DATABASE_URL: app.database.url,
  DATA_DIR: app.config.DATA_DIR,
  AWS_EC2_METADATA_DISABLED: 'true',
}

/** Examines an installation as the command does, and looks for secrets in whatever it says. */
async function doctor(changes: Record<string, string | undefined> = {}, base: object = installation) {
  const env: NodeJS.ProcessEnv = { ...base, ...changes }
  const lines: string[] = []
  await examine(env, (line) => void lines.push(line))
  const out = lines.join('\n')
  for (const secret of NEVER_PRINTED) assert.ok(!out.includes(secret), 'a secret was printed')
  const found = (level: string) =>
    lines.filter((line) => line.startsWith(`${level.padEnd(4)}  `)).map((line) => line.slice(6, 18).trim())
  const line = (name: string) => lines.find((text) => text.slice(6, 18).trim() === name) ?? ''
  return { out, failed: found('FAIL'), warned: found('warn'), fine: found('ok'), line }
}

const fileNames = (path: string) => readdirSync(path, { recursive: true }).toSorted()

test('a running installation is fine, line by line, and nothing is changed or sent', async () => {
  const files = fileNames(app.config.DATA_DIR)
  const { out, failed, line, warned, fine } = await doctor()
  assert.deepEqual(failed, [])
  // the database of the tests is not durable, others use it too, and there are no keys for pushes and nothing for what comes back
  for (const name of warned) assert.ok(['durability', 'connections', 'push keys', 'returns'].includes(name), out)
  const names = 'settings database schema extension rights clock storage mail certificate disk backup workers'.split(
    ' ',
  )
  for (const name of [...names, 'master key', 'JWT secret']) assert.ok(fine.includes(name), `${name}\n${out}`)
  assert.match(line('database'), /PostgreSQL \d+/)
  assert.match(line('mail'), /takes our connection and password/)
  assert.match(line('returns'), /^warn .* no INBOUND_ADDRESS: nobody is told of emails that come back/)
  const inbound = { INBOUND_ADDRESS: 'in@platenote.ca', INBOUND_MAIL_SECRET: newKey() }
  assert.match((await doctor(inbound)).line('returns'), /^ok .* they go to in@platenote\.ca/)
  assert.equal(inbox.received.length, 0)
  assert.deepEqual(fileNames(app.config.DATA_DIR), files)
})

test('a backup that is not encrypted is a warning, and a key that is none a failure', async () => {
  await app.db`update operations_runs set is_encrypted = false`
  const readable = await doctor()
  const development = await doctor({ NODE_ENV: 'development' })
  await app.db`update operations_runs set is_encrypted = true`
  assert.match(development.line('backup'), /^ok /)
  assert.match(readable.line('backup'), /^warn .*can be read by whoever copies it: .* set BACKUP_RECIPIENTS$/)
  const mistyped = await doctor({ BACKUP_RECIPIENTS: `age1${'q'.repeat(58)}` })
  assert.match(mistyped.line('backup'), /^FAIL .*BACKUP_RECIPIENTS has age1q+, which is no public key of age/)
})

test('a wrong master key is found by name, and hides nothing else', async () => {
  const { failed, line, fine } = await doctor({ MASTER_KEY: newKey() })
  assert.deepEqual(failed, ['master key'])
  assert.match(line('master key'), /MASTER_KEY does not open this database \(it was encrypted with key \w{16}\)/)
  assert.ok(fine.includes('workers'))
})

test('a mail server that refuses the password, or says nothing', async (t) => {
  const refused = await doctor({ SMTP_URL: mailUrl(WRONG_PASSWORD) })
  assert.deepEqual(refused.failed, ['mail'])
  assert.match(refused.line('mail'), /refuses the user or the password \(smtp_535\): correct SMTP_URL/)

  const silent = await startSmtpInbox({ greeting: () => 'stall' })
  t.after(() => silent.close())
  const stalled = await doctor({ SMTP_URL: silent.url })
  assert.deepEqual(stalled.failed, ['mail'])
  assert.match(stalled.line('mail'), /does not answer/)
})

test('a certificate that browsers do not trust, or of another name, is found; a site out of reach is a warning', async () => {
  setDefaultCACertificates(knownAuthorities)
  const distrusted = await doctor()
  setDefaultCACertificates([...knownAuthorities, CERTIFICATE])
  assert.deepEqual(distrusted.failed, ['certificate'])
  assert.match(distrusted.line('certificate'), /localhost:\d+ shows a certificate that browsers do not trust/)
  const misnamed = await doctor({ PUBLIC_URL: `https://127.0.0.1:${proxyPort}` })
  assert.match(misnamed.line('certificate'), /^FAIL .* shows a certificate of another name: correct the proxy/)
  const away = await doctor({ PUBLIC_URL: `https://localhost:${await findFreePort()}` })
  assert.match(away.line('certificate'), /^warn .* cannot be reached from here \(ECONNREFUSED\): correct PUBLIC_URL/)
})

test('a folder of photos that cannot be written to is found', async () => {
  const dir = mkdtempSync(join(folder, 'data-'))
  const photos = join(dir, 'attachments')
  // nothing keeps root from writing but a file system that takes no files
  if (process.getuid?.() === 0) symlinkSync('/sys', photos)
  else {
    mkdirSync(photos)
    chmodSync(photos, 0o500)
  }
  const { failed, line } = await doctor({ DATA_DIR: dir })
  assert.deepEqual(failed, ['storage'])
  assert.match(line('storage'), /attachments cannot be written to \((?:EACCES|EPERM|EROFS)\): give the account/)
})

test('a bucket is written, read and left as it was; one that takes nothing is found, and why', async (t) => {
  await import('@aws-sdk/client-s3') // a machine may be too slow to load it within the five seconds of a check
  const s3 = await startFakeS3()
  t.after(() => s3.close())
  const STORAGE_URL = s3.storageUrl('platenote-photos')
  const fine = await doctor({ STORAGE_URL })
  assert.match(fine.line('storage'), /^ok .*the bucket platenote-photos/)
  assert.deepEqual([s3.calls, s3.objects.size], [4, 0])
  const wrong = async () => {
    const { failed, line } = await doctor({ STORAGE_URL })
    assert.deepEqual(failed, ['storage'])
    return line('storage').slice('FAIL  storage'.length).trim()
  }
  const { secret } = s3
  s3.secret = 'another'
  assert.equal(
    await wrong(),
    'the bucket platenote-photos cannot be written to (SignatureDoesNotMatch): correct AWS_SECRET_ACCESS_KEY, which is not the secret of AWS_ACCESS_KEY_ID',
  )
  s3.secret = secret
  s3.deniedMethod = 'PUT'
  assert.match(await wrong(), /cannot be written to \(AccessDenied\): allow the AWS keys s3:GetObject/)
  s3.deniedMethod = undefined
  s3.listsObjects = false
  assert.match(
    await wrong(),
    /^the bucket platenote-photos cannot be asked for a file that it does not have \(AccessDenied\): allow .* and s3:ListBucket on the bucket itself$/,
  )
  assert.equal(s3.objects.size, 0)
  s3.deniedMethod = 'DELETE'
  const left = await wrong()
  const [path] = [...s3.objects.keys()]
  assert.match(left, /cannot be deleted from \(AccessDenied\): allow /)
  assert.ok(left.endsWith(`; ${path!.split('/').at(-1)} is still there`), left)
})

test('a database that is away or frozen fails in time, and everything else is still checked', async (t) => {
  const at = (port: number) => `postgres://platenote:${DATABASE_PASSWORD}@127.0.0.1:${port}/platenote`
  const away = await doctor({ DATABASE_URL: at(await findFreePort()) })
  assert.deepEqual(away.failed, ['database'])
  assert.match(away.line('database'), /127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\): start it, or correct/)
  for (const name of ['storage', 'mail', 'JWT secret', 'disk']) assert.ok(away.fine.includes(name), away.out)
  assert.match(away.line('schema'), /^warn .*not checked: correct the database first/)

  const sockets = new Set<Socket>()
  const frozen = createTcpServer((socket) => sockets.add(socket.on('error', () => {}))).listen(0, '127.0.0.1')
  await once(frozen, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    frozen.close()
  })
  const { failed } = await doctor({ DATABASE_URL: at((frozen.address() as AddressInfo).port) })
  assert.deepEqual(failed, ['database'])
})

test('the embedded database is not started; the command says how to', async () => {
  const dir = mkdtempSync(join(folder, 'embedded-'))
  const { failed, line } = await doctor({ DATA_DIR: dir, DATABASE_URL: undefined })
  assert.deepEqual(failed, ['database'])
  assert.match(line('database'), /the embedded database is not running: start PlateNote \(npm start\)/)
  assert.deepEqual(readdirSync(dir), [])
})

test('a newer schema wants a newer build', async () => {
  const sibling = await testApp({ settings: { MASTER_KEY: SECRETS.MASTER_KEY, ROLE: 'web' } })
  const DATABASE_URL = sibling.database.url
  const current = await doctor({ DATABASE_URL })
  assert.match(current.line('backup'), /^warn .*none is known: run platenote backup/)
  await sibling.db`insert into schema_migrations (number, name, sha256) values (9999, '9999_later.sql', '')`
  const newer = await doctor({ DATABASE_URL })
  assert.deepEqual(newer.failed, ['schema'])
  assert.match(newer.line('schema'), /9999_later\.sql, which this version does not know\. Start a newer version/)
})

test('an empty database and an empty folder are as empty afterwards', async (t) => {
  const database = await createEmptyTestDatabase()
  t.after(database.drop)
  const dir = mkdtempSync(join(folder, 'empty-'))
  const { failed, line } = await doctor({ DATABASE_URL: database.url, DATA_DIR: dir }, {})
  assert.deepEqual(failed, [])
  assert.match(line('schema'), /the database is empty: the first start/)
  assert.match(line('master key'), /the first start makes DATA_DIR\/master\.key/)
  assert.deepEqual(readdirSync(dir), [])
  const db = openTestPool(database.connection, 1)
  const [row] = await db<
    { count: number }[]
  >`select count(*)::int from pg_class where relnamespace = 'public'::regnamespace`
  await db.end()
  assert.equal(row?.count, 0)
})

test('a role without the right to create tables, or that does not own them, is found', async () => {
  const url = new URL(app.database.url)
  url.searchParams.set('options', '-c role=pg_monitor')
  const { line } = await doctor({ DATABASE_URL: url.href })
  assert.match(line('rights'), /^FAIL .*the role may not create tables: let an administrator grant it "create"/)
})

test('settings that production refuses fail, and nothing is checked with them', async () => {
  const missing = await doctor({ MASTER_KEY: undefined, PRIVACY_OFFICER: undefined })
  assert.match(missing.out, /^FAIL {2}settings {5}missing setting: MASTER_KEY \(NODE_ENV is production\); the rest .*$/)
  const wrong = await doctor({ DATABASE_URL: `mysql://platenote:${DATABASE_PASSWORD}@db.test/platenote`, PORT: 'x' })
  assert.match(wrong.line('settings'), /PORT must be a whole number.*DATABASE_URL must be a URL/)
})

test('data in a folder that depends on where PlateNote is started is warned of', async () => {
  const DATA_DIR = relative(process.cwd(), app.config.DATA_DIR)
  const { out, failed, warned } = await doctor({ DATA_DIR })
  assert.deepEqual(failed, [])
  assert.ok(warned.includes('settings'), out)
  assert.match(
    out,
    new RegExp(`^warn  settings +DATA_DIR is relative .*, now ${RegExp.escape(app.config.DATA_DIR)}: set it to`, 'm'),
  )
  // nothing that lasts is in it
  const s3 = await doctor({ DATA_DIR, STORAGE_URL: 's3://nowhere?endpoint=http://127.0.0.1:1&region=ca-central-1' })
  assert.ok(!s3.warned.includes('settings'), s3.out)
})

test('a clock that is wrong is found', async (t) => {
  const now = Date.now
  t.mock.method(Date, 'now', () => now() + 40_000)
  const { failed, line } = await doctor()
  assert.deepEqual(failed, ['clock'])
  assert.match(line('clock'), /(?:39|40)\.\d s away from the database's clock: let both machines get the time by NTP/)
})

test('how far a clock may be away, how full a disk may be, and how long a certificate must be valid', () => {
  assert.deepEqual(
    [2_000, 2_001, 30_000, 30_001].map((ms) => judgeClock(ms).level),
    ['ok', 'warn', 'warn', 'FAIL'],
  )
  assert.deepEqual(
    [100, 99, 20, 19].map((free) => judgeDisk(free, 1_000).level),
    ['ok', 'warn', 'warn', 'FAIL'],
  )
  assert.deepEqual(
    [14, 13].map((days) => judgeExpiry('platenote.ca', days * 86_400_000).level),
    ['ok', 'warn'],
  )
})

test('secrets of settings are taken out of whatever is said', () => {
  const hide = createSecretFilter({
    MASTER_KEYS_OLD: 'one-old-key, another-old-key',
    SMTP_URL: 'smtp://token-as-user:p%40ssword@mail.test',
    DATABASE_URL: 'postgres://platenote:hidden%2Fone@db.test/platenote',
    PUBLIC_URL: 'https://platenote.test',
  })
  assert.equal(
    hide('one-old-key another-old-key token-as-user p@ssword p%40ssword hidden/one platenote https://platenote.test'),
    '••• ••• ••• ••• ••• ••• platenote https://platenote.test',
  )
})
