import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { root } from './root.mjs'

const folder = mkdtempSync(join(tmpdir(), 'platenote-start-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** Makes a repository that was cloned and never built, of which only the commands are needed. */
function cloned(name) {
  const clone = join(folder, name)
  cpSync(join(root, 'scripts'), join(clone, 'scripts'), { recursive: true })
  return clone
}

function start(clone, settings = {}) {
  const { NODE_ENV: _, ...env } = process.env
  const options = { cwd: clone, env: { ...env, ...settings }, encoding: 'utf8' }
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/start.mjs'], options)
  return { status, stdout, stderr }
}

test('in production npm start installs and builds nothing, and says what to do when nothing is built', () => {
  const clone = cloned('unbuilt')
  const refusal = { status: 1, stdout: '' }
  for (const settings of [{ NODE_ENV: 'production' }, {}]) {
    // the second time from .env
    if (!settings.NODE_ENV) writeFileSync(join(clone, '.env'), 'PORT=3000\nNODE_ENV="production"\n')
    const { stderr, ...outcome } = start(clone, settings)
    assert.deepEqual(outcome, refusal)
    assert.match(stderr, /^\nPlateNote: PlateNote is not built\. .*run npm run build first/)
  }
  assert.deepEqual(readdirSync(clone).toSorted(), ['.env', 'scripts'])
})

test('in production npm start says when the packages are missing', () => {
  const clone = cloned('without-packages')
  mkdirSync(join(clone, 'dist'))
  writeFileSync(join(clone, 'dist/stamp'), 'built')
  const { status, stderr } = start(clone, { NODE_ENV: 'production' })
  assert.equal(status, 1)
  assert.match(stderr, /the packages are not installed\. Run npm ci --omit=dev/)
})
