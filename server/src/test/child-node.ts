import assert from 'node:assert/strict'
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'

/**
 * Runs code as a module in another Node process, until the test is over at the latest. The code can use `startEmbedded`,
 * `acquireFolderLock`, `dir` and `settings`. An error ends it with one line: the name and message.
 * @param sources the folder the functions are imported from
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

/** Resolves with the first output of a child. */
export async function firstOutput(child: ChildProcess): Promise<string> {
  const [chunk] = (await once(child.stdout ?? assert.fail('no output'), 'data')) as [Buffer]
  return chunk.toString().trim()
}

/** Kills a child, or the given process (group), with -9 and waits until the child has ended. */
export async function killAndWait(child: ChildProcess, target = child.pid ?? 0): Promise<void> {
  const exit = once(child, 'exit')
  process.kill(target, 'SIGKILL')
  await exit
}
