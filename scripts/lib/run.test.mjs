import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { root } from './root.mjs'

const folder = mkdtempSync(join(tmpdir(), 'platenote-run-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const [production, development] = ['node_modules/served-with', 'node_modules/built-with']
const lockFile = (packages) => JSON.stringify({ lockfileVersion: 3, packages })
const wanted = { [production]: { version: '1.0.0' }, [development]: { version: '1.0.0', dev: true } }

/** An npm that says that it was called, and does what comes first: it empties node_modules. */
const npm = join(folder, 'bin/npm')
mkdirSync(join(folder, 'bin'))
writeFileSync(npm, '#!/bin/sh\nrm -rf node_modules && mkdir node_modules && touch npm-was-here\n', { mode: 0o755 })

/** Makes a repository with these packages installed, or with no node_modules. */
function cloned(name, installed) {
  const clone = join(folder, name)
  cpSync(join(root, 'scripts'), join(clone, 'scripts'), { recursive: true })
  const write = (file, text) => writeFileSync(join(clone, file), text)
  mkdirSync(join(clone, 'server/src/cli'), { recursive: true })
  for (const file of ['server/src/cli/platenote.ts', 'tool.mjs']) write(file, "process.stdout.write('it ran\\n')\n")
  write('package.json', '{"type":"module"}')
  write(
    'scripts/compile-texts.mjs',
    "import { mkdirSync } from 'node:fs'\nmkdirSync(process.argv[2], { recursive: true })\n",
  )
  write('package-lock.json', lockFile({ '': {}, ...wanted }))
  if (!installed) return clone
  for (const path of Object.keys(installed)) mkdirSync(join(clone, path), { recursive: true })
  write('node_modules/.package-lock.json', lockFile(installed))
  return clone
}

/** Runs `npx platenote` in it, or another program as its scripts do. */
function run(clone, ...args) {
  const { npm_execpath: _, ...env } = process.env
  const PATH = `${join(folder, 'bin')}${delimiter}${env.PATH}`
  const options = { cwd: clone, env: { ...env, PATH }, encoding: 'utf8' }
  const { status, stdout, stderr } = spawnSync(process.execPath, args, options)
  return { status, stdout, stderr, hasInstalled: existsSync(join(clone, 'npm-was-here')) }
}

const options = { skip: process.platform === 'win32' ? 'the npm of this test is a shell script' : false }
const command = 'scripts/platenote.mjs'

test('a command runs with the packages of npm ci --omit=dev, and takes none away from the server', options, () => {
  const clone = cloned('omitted', { [production]: wanted[production] })
  // the build did, with all packages
  run(clone, '--eval', "import('./scripts/lib/texts.mjs').then(({ ensureTexts }) => ensureTexts())")
  assert.deepEqual(run(clone, command), { status: 0, stdout: 'it ran\n', stderr: '', hasInstalled: false })
  assert.ok(existsSync(join(clone, production)))
  // whatever builds or tests needs the others too
  assert.equal(run(clone, 'scripts/run.mjs', 'node', 'tool.mjs').hasInstalled, true)
})

test('where other packages are wanted since, a command says so and installs nothing', options, () => {
  const clone = cloned('pulled', { [production]: { version: '0.9.0' }, [development]: wanted[development] })
  const { stderr, ...outcome } = run(clone, command)
  assert.deepEqual(outcome, { status: 1, stdout: '', hasInstalled: false })
  assert.match(stderr, /^\nPlateNote: the packages are not those of package-lock\.json\. .*stop it, run npm ci/)
  assert.equal(stderr.trim().split('\n').length, 1)
  assert.equal(JSON.parse(readFileSync(join(clone, 'node_modules/.package-lock.json'), 'utf8')).lockfileVersion, 3)
})

test('where nothing is installed yet, a command installs', options, () => {
  const { status, stdout, hasInstalled } = run(cloned('fresh'), command)
  assert.deepEqual([status, stdout, hasInstalled], [0, 'it ran\n', true])
})

/** Runs npm start in it, with these settings. */
function start(clone, settings = {}) {
  const { NODE_ENV: _, ...env } = process.env
  const options = { cwd: clone, env: { ...env, ...settings }, encoding: 'utf8' }
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/start.mjs'], options)
  return { status, stdout, stderr }
}

test('in production npm start installs and builds nothing, and says what is missing', () => {
  const clone = cloned('unbuilt')
  for (const settings of [{ NODE_ENV: 'production' }, {}]) {
    // the second time from .env
    if (!settings.NODE_ENV) writeFileSync(join(clone, '.env'), 'PORT=3000\nNODE_ENV="production"\n')
    const { stderr, ...outcome } = start(clone, settings)
    assert.deepEqual(outcome, { status: 1, stdout: '' })
    assert.match(stderr, /^\nPlateNote: PlateNote is not built\. .*run npm run build first/)
  }
  assert.ok(!existsSync(join(clone, 'node_modules')) && !existsSync(join(clone, 'dist')))
  mkdirSync(join(clone, 'dist'))
  writeFileSync(join(clone, 'dist/stamp'), 'built')
  assert.match(start(clone).stderr, /the packages are not installed\. Run npm ci --omit=dev/)
})

test('a program ends with the npm that started it, of whatever npm dies', options, async (t) => {
  const clone = cloned('left', wanted)
  writeFileSync(
    join(clone, 'tool.mjs'),
    "process.on('SIGTERM', () => process.exit()); console.log(process.pid); setInterval(() => {}, 1000)",
  )
  for (const signal of ['SIGHUP', 'SIGKILL']) {
    // as npm does: a shell between it and the script, and this variable
    const npm = `require('child_process').spawn('sh', ['-c', 'node scripts/run.mjs node tool.mjs; true'], { stdio: 'inherit' })`
    const env = { ...process.env, npm_lifecycle_event: 'tool' }
    const child = spawn(process.execPath, ['-e', npm], { cwd: clone, env, stdio: ['ignore', 'pipe', 'inherit'] })
    t.after(() => child.kill('SIGKILL'))
    const output = createInterface({ input: child.stdout })
    await once(output, 'line')
    child.kill(signal)
    await once(output, 'close') // the program's end closes it, being the last
  }
})
