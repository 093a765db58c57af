import assert from 'node:assert/strict'
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'

/**
 * Runs lines of a module in another Node, until the test is over at the latest. At hand there: `startEmbedded`,
 * `acquireFolderLock`, `dir` and `settings`. An error ends it with one line, its name and message.
 * @param sources the folder the functions are taken from
 */
export function runInChildNode(
  t: TestContext,
  dir: string,
  code: string,
  options: SpawnOptions = {},
  sources = join(import.meta.dirname, '..', 'postgres'),
): ChildProcess {
  const from = (file: string) => JSON.stringify(pathToFileURL(join(sources, file)).href)
  const script = `
    import { startEmbedded } from ${from('embedded-server.ts')}
    import { acquireFolderLock } from ${from('lockfile.ts')}
    const dir = ${JSON.stringify(dir)}, settings = { fsync: 'off' }
    try { ${code} } catch (error) { console.log(error.name + ': ' + error.message) }`
  const args = ['--input-type=module', '--disable-warning=ExperimentalWarning', '--eval', script]
  const child = spawn(process.execPath, args, { cwd: '/', stdio: ['ignore', 'pipe', 'inherit'], ...options })
  t.after(() => child.kill('SIGKILL'))
  return child
}

/** The first thing a child writes. */
export async function firstOutput(child: ChildProcess): Promise<string> {
  const [chunk] = (await once(child.stdout ?? assert.fail('no output'), 'data')) as [Buffer]
  return chunk.toString().trim()
}

/** Kills a child, or the process (group) named, with -9 and waits for its end. */
export async function killAndWait(child: ChildProcess, target = child.pid ?? 0): Promise<void> {
  const exit = once(child, 'exit')
  process.kill(target, 'SIGKILL')
  await exit
}
