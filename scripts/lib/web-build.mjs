import { cpSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CliError } from './cli-error.mjs'
import { withLock } from './lock.mjs'
import { childEnvironment } from './node-runtime.mjs'
import { runQuietly } from './process.mjs'
import { root } from './root.mjs'
import { sourcesStamp, swapBuild } from './stamped-build.mjs'

const build = join(root, 'web/build')
// Inside a folder that every tool ignores already, so that the remains of an interrupted build disturb nobody.
const unfinished = '.react-router/build'
const nextBuild = join(root, 'web', unfinished)
const previousBuild = join(root, 'web/.react-router/previous-build')
const stampFile = join(build, 'stamp')

// The compiler of the texts writes files beside its settings on its first run.
const isInlangNote = (path) => /^locales\/\w+\.inlang\/(?!settings\.json$)/.test(path)
const inputs = [
  'web',
  'contract/src',
  'locales/en',
  'locales/fr-CA',
  'locales/guest',
  'locales/legal',
  'locales/web.inlang',
  'package-lock.json',
  'scripts/check-texts.mjs',
  'scripts/web-postbuild.mjs',
  'scripts/lib/check-content.mjs',
  'scripts/lib/check-guest-texts.mjs',
  'scripts/lib/check-messages.mjs',
  'scripts/lib/stamped-build.mjs',
  'scripts/lib/web-build.mjs',
]
const outputs = ['web/build', 'web/.react-router', 'web/src/fonts', 'web/src/paraglide']
/** Returns whether the build itself writes a path, which then is none of its sources. */
const isLeftOut = (path) => outputs.includes(path) || isInlangNote(path)
const oldAssetsMaxAgeMs = 7 * 24 * 60 * 60 * 1000

/** Returns whether there is a web app to serve, however old. */
export const hasBuild = () => existsSync(stampFile)

/** Builds the web app into web/build if its sources have changed since the last build, and returns whether they had. */
export async function ensureBuilt() {
  if (isFresh()) return false
  const wait = (pid) => process.stderr.write(`Waiting for process ${pid}, which is building the web app…\n`)
  return withLock(join(root, '.build.lock'), wait, async () => {
    if (isFresh()) return false
    const stamp = sourcesStamp(inputs, isLeftOut) // read before building, so that a source saved meanwhile makes the next start build again
    rmSync(nextBuild, { recursive: true, force: true })
    await buildInto(nextBuild)
    keepOldAssets()
    writeFileSync(join(nextBuild, 'stamp'), stamp)
    swapBuild(build, nextBuild, previousBuild)
    return true
  })
}

async function buildInto(folder) {
  const env = childEnvironment({ WEB_BUILD_DIR: unfinished, NODE_ENV: 'production' })
  const explain = () => 'the web app could not be built (the last lines of its build are above).'
  const options = { cwd: root, env, explain, shell: process.platform === 'win32' }
  // In web/, because prerendering starts Vite a second time, which looks for its configuration in the current folder.
  const inWeb = { ...options, cwd: join(root, 'web') }
  const explainTexts = () => 'a text is missing, differs between the languages or is not used (named above).'
  await runQuietly('Checking the texts', 'node', ['scripts/check-texts.mjs', '--build'], {
    ...options,
    explain: explainTexts,
  })
  await runQuietly('Building the web app (first start, or it has changed)', 'react-router', ['build'], inWeb)
  if (!existsSync(join(folder, 'client'))) throw new CliError('the web build ended without writing its pages.')
  rmSync(join(folder, 'server'), { recursive: true, force: true }) // it has rendered the pages; only files are served
  await runQuietly('Compressing the web app', 'node', ['scripts/web-postbuild.mjs', folder], options)
}

/** Keeps the files of the previous build, which servers and tabs that were opened on it still request by their hash. */
function keepOldAssets() {
  const old = join(build, 'client/assets')
  if (!existsSync(old)) return
  const young = (file) => statSync(file).isDirectory() || Date.now() - statSync(file).mtimeMs < oldAssetsMaxAgeMs
  cpSync(old, join(nextBuild, 'client/assets'), {
    recursive: true,
    force: false,
    preserveTimestamps: true,
    filter: young,
  })
}

function isFresh() {
  return hasBuild() && readFileSync(stampFile, 'utf8') === sourcesStamp(inputs, isLeftOut)
}
