import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { root } from './root.mjs'

/** Returns a sum of the files under some paths of the repository, which changes with their names and contents. */
export function sourcesStamp(inputs, isLeftOut = () => false) {
  const hash = createHash('sha256')
  for (const file of inputs.flatMap((path) => listFiles(path, isLeftOut))) {
    hash.update(`${relative(root, file)}\0${statSync(file).size}\0`)
    hash.update(readFileSync(file))
  }
  return hash.digest('hex')
}

/** Returns the files under a path of the repository, in the same order everywhere. */
function listFiles(path, isLeftOut) {
  const absolute = join(root, path)
  if (isLeftOut(path.split(sep).join('/')) || !existsSync(absolute)) return []
  if (!statSync(absolute).isDirectory()) return [absolute]
  return readdirSync(absolute)
    .sort()
    .flatMap((entry) => listFiles(join(path, entry), isLeftOut))
}

/** Puts the next build in the place of the present one, which is moved aside until that has succeeded. */
export function swapBuild(build, next, previous) {
  rmSync(previous, { recursive: true, force: true })
  if (existsSync(build)) renameSync(build, previous)
  renameSync(next, build)
  rmSync(previous, { recursive: true, force: true })
}
