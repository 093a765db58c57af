// Reads which shared libraries programs of Linux ask for, and says what to install where one is missing.
import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the programs and libraries of Linux in a folder, as paths, each with the libraries it asks for. */
export function readNeededLibraries(folder) {
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

/** Returns what to install where the loader of Linux said that a library is missing; undefined where it said something else. */
export function explainMissingLibrary(output) {
  const library = /error while loading shared libraries: ([^:\s]+): cannot open/.exec(output)?.[1]
  if (!library) return
  // Debian names a package after its library (Debian Policy 8.1); Fedora's has the library among what it provides
  const debian = library.replace('_', '-').replace(/\.so\.(\d+).*$/, '$1')
  return `it needs ${library}, which this system lacks. Install it (Debian, Ubuntu: apt-get install ${debian}; Fedora: dnf install '${library}()(64bit)')`
}
