import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withLock } from './lock.mjs'
import { childEnvironment } from './node-runtime.mjs'
import { runQuietly } from './process.mjs'
import { root } from './root.mjs'
import { sourcesStamp, swapBuild } from './stamped-build.mjs'

const dist = join(root, 'dist')
const stampFile = join(dist, 'stamp')
/** Everything the artefact is made of; the web app is built before. */
const inputs = [
  'server/src',
  'contract/src',
  'locales/compiled',
  'web/build/stamp',
  'package.json',
  'package-lock.json',
  '.npmrc',
  'LICENSE',
  'scripts/artefact',
  'scripts/build-artefact.mjs',
  'scripts/lib/artefact.mjs',
]

/** Half of V8's default for young objects: 15 MiB less while nobody asks anything, and no slower with what a request needs. */
export const serverFlags = ['--max-semi-space-size=8']

/** The artefact. */
export const artefactFolder = join(dist, 'platenote')

/**
 * Returns what the artefact of these sources is called where it is unpacked: no two builds that differ share it, so that none is
 * unpacked over another that is running, or that is the way back.
 */
const nameOf = (stamp) => `platenote-${readVersion()}-${stamp.slice(0, 10)}`

/** Returns the artefact as one file, which is unpacked on another machine. */
export const artefactArchive = () => join('dist', `${nameOf(readFileSync(stampFile, 'utf8'))}.tar.gz`)

/** Returns whether there is an artefact, however old. */
export const hasArtefact = () => existsSync(stampFile)

/** Returns whether the artefact is what the sources would make now. */
export const isArtefactFresh = () => hasArtefact() && readFileSync(stampFile, 'utf8') === sourcesStamp(inputs)

/** Makes dist/platenote and its archive if their sources have changed, and returns whether they had. The web app must be built. */
export async function ensureArtefact() {
  if (isArtefactFresh()) return false
  const wait = (pid) => process.stderr.write(`Waiting for process ${pid}, which is making the artefact…\n`)
  return withLock(join(root, '.artefact.lock'), wait, async () => {
    if (isArtefactFresh()) return false
    const stamp = sourcesStamp(inputs)
    const next = join(root, '.dist.next')
    rmSync(next, { recursive: true, force: true })
    const explain = () => 'the artefact could not be made (the last lines are above).'
    const options = { cwd: root, env: childEnvironment(), explain, shell: process.platform === 'win32' }
    const args = ['--disable-warning=ExperimentalWarning', 'scripts/build-artefact.mjs', next, nameOf(stamp)]
    await runQuietly('Making the artefact', 'node', args, options)
    writeFileSync(join(next, 'stamp'), stamp)
    swapBuild(dist, next, join(root, '.dist.previous'))
    return true
  })
}

const readVersion = () => JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version
