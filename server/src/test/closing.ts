import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach } from 'node:test'
import { fileURLToPath } from 'node:url'
import { getCallSites } from 'node:util'
import { MINUTE_MS } from '../time.ts'

// A process imports several test files before it runs the first of them. What a file has opened is closed when the tests of the next
// one begin: a server that is left running looks for work all the time, and ten of them together take a tenth of a processor.

/** What the tests left running keeps their process no longer than this. */
const LINGER_MS = 5 * MINUTE_MS

type Opened = { close: () => unknown; file: string | undefined }
let opened: Opened[] = []
let running: string | undefined

/** Closes the last one first: it may use what was there before. */
async function closeOpened(isOver: (file: string | undefined) => boolean) {
  const over = opened.filter(({ file }) => isOver(file))
  opened = opened.filter(({ file }) => !isOver(file))
  for (const { close } of over.toReversed()) await close()
}

type HookContext = Parameters<NonNullable<Parameters<typeof beforeEach>[0]>>[0]
const fileOf = (context: HookContext) => ('filePath' in context ? context.filePath : undefined)

beforeEach(async (context) => {
  const former = running
  running = fileOf(context)
  if (former !== undefined && former !== running) await closeOpened((file) => file === former)
})
after(async () => {
  setTimeout(endLingering, LINGER_MS).unref()
  await closeOpened(() => true)
})

/** Ends the process as failed, and says what kept it. Upon this signal the runner still prints its summary. */
function endLingering() {
  console.error(`still open after the tests: ${process.getActiveResourcesInfo().join(', ')}`)
  process.exitCode = 1
  process.kill(process.pid, 'SIGTERM')
}

/** Returns the test file that is calling; undefined when it called something that waited before. */
export function callingFile(): string | undefined {
  const caller = getCallSites(100).find(({ scriptName }) => scriptName.endsWith('.test.ts'))
  return caller && fileURLToPath(caller.scriptName)
}

/** Does something before each test of the calling file: a hook of node:test would do so before those of all files of the process. */
export function beforeEachHere(prepare: () => unknown) {
  const file = callingFile()
  beforeEach(async (context) => void (fileOf(context) === file && (await prepare())))
}

/** Closes something when the tests of a file are over, or of the whole process where it is not known whose it is. */
export const closeAtEnd = (close: () => unknown, file = callingFile()): void => void opened.push({ close, file })

/** Makes a folder, and removes it when the tests of the file are over. */
export function temporaryFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix))
  chmodSync(folder, 0o711) // as root, the account PostgreSQL runs as must pass through
  closeAtEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
