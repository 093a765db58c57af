import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withLock } from './lock.mjs'
import { childEnvironment } from './node-runtime.mjs'
import { runQuietly } from './process.mjs'
import { root } from './root.mjs'
import { sourcesStamp, swapBuild } from './stamped-build.mjs'

const compiled = join(root, 'locales/compiled')
const stampFile = join(compiled, 'stamp')
const inputs = [
  'locales/en',
  'locales/fr-CA',
  'locales/server.inlang/settings.json',
  'package-lock.json',
  'scripts/compile-texts.mjs',
]

/** Compiles the texts of the server into locales/compiled if they have changed. Takes a few milliseconds when they have not. */
export async function ensureTexts() {
  if (isFresh()) return
  const wait = (pid) => process.stderr.write(`Waiting for process ${pid}, which is compiling the texts…\n`)
  await withLock(join(root, '.texts.lock'), wait, async () => {
    if (isFresh()) return
    const stamp = sourcesStamp(inputs)
    const next = join(root, 'locales/.compiled.next')
    const explain = () =>
      'the texts could not be compiled (the last lines are above); npm ci installs what compiles them.'
    const options = { cwd: root, env: childEnvironment(), explain, shell: process.platform === 'win32' }
    await runQuietly('Compiling the texts', 'node', ['scripts/compile-texts.mjs', next], options)
    writeFileSync(join(next, 'stamp'), stamp)
    swapBuild(compiled, next, join(root, 'locales/.compiled.previous'))
  })
}

const isFresh = () => existsSync(stampFile) && readFileSync(stampFile, 'utf8') === sourcesStamp(inputs)
