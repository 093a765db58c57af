import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { comparePackage, listInstalled, listPinned, readRecordedSums, sumPackage } from './binary-sums.mjs'
import { root } from './root.mjs'

test('every pinned Node and PostgreSQL has sums of its own, made from the package of the lock file', () => {
  const recorded = readRecordedSums()
  const integrities = Object.fromEntries(Object.entries(recorded).map(([pin, { integrity }]) => [pin, integrity]))
  assert.deepEqual(integrities, listPinned())
  // five platforms each
  assert.equal(Object.keys(recorded).length, 10)
  for (const [pin, { programs }] of Object.entries(recorded)) {
    const names = Object.keys(programs)
    assert.ok(
      names.some((name) => /bin\/(?:node|postgres)(?:\.exe)?$/.test(name)),
      pin,
    )
    for (const sum of Object.values(programs)) assert.match(sum, /^[0-9a-f]{64}$/)
  }
})

test('what is installed here is what was compared', () => {
  const installed = listInstalled()
  const recorded = readRecordedSums()
  for (const { pin, folder } of installed) assert.deepEqual(comparePackage(folder, recorded[pin]), [], pin)
  // the packages are optional: none for a platform without them
  const isPackaged = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64'].includes(
    `${process.platform}-${process.arch}`,
  )
  if (isPackaged) assert.equal(installed.length, 2)
})

test('a program that was changed, added or taken away is noticed, and so is any other file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'platenote-binaries-'))
  try {
    mkdirSync(join(folder, 'bin'))
    mkdirSync(join(folder, 'native/lib'), { recursive: true })
    writeFileSync(join(folder, 'bin/node'), 'program')
    writeFileSync(join(folder, 'native/lib/libpq.so.5.18'), 'library')
    writeFileSync(join(folder, 'package.json'), '{}')
    const recorded = sumPackage(folder)
    assert.deepEqual(comparePackage(folder, recorded), [])
    const change = (file, text) => {
      const copy = `${folder}-changed`
      cpSync(folder, copy, { recursive: true })
      if (text === null) rmSync(join(copy, file))
      else writeFileSync(join(copy, file), text)
      const differing = comparePackage(copy, recorded)
      rmSync(copy, { recursive: true })
      return differing
    }
    assert.deepEqual(change('bin/node', 'program!'), ['bin/node'])
    assert.deepEqual(change('native/lib/libpq.so.5.18', 'other'), ['native/lib/libpq.so.5.18'])
    assert.deepEqual(change('bin/extra', 'program'), ['bin/extra'])
    assert.deepEqual(change('bin/node', null), ['bin/node'])
    assert.deepEqual(change('package.json', '{"main": "x"}'), ['a file that is no program'])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('no install script of a package runs, by hand or by a command of the project', () => {
  assert.match(readFileSync(join(root, '.npmrc'), 'utf8'), /^ignore-scripts=true$/m)
})
