import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { createFairQueue } from '../limits/fair-queue.ts'
import type { Logger } from '../log/logger.ts'
import { describeError } from '../log/safe-error.ts'
import { refuse } from '../refusal.ts'
import { MINUTE_MS, SECOND_MS, withTimeout } from '../time.ts'
import type { ImageRefusal, StoredImage } from './reencode-image.ts'

const PROGRAM = join(import.meta.dirname, 'image-process.ts')
/** One image fills a processor; with two processes an expensive one does not keep the others waiting. */
const PROCESSES = 2
/** The largest image that is accepted takes two or three seconds, in HEIC five. */
const TIMEOUT_MS = 10 * SECOND_MS
/** So many images may wait for a process: the last of them some ten seconds. */
const MAX_WAITING = 32
const START_TIMEOUT_MS = 20 * SECOND_MS
/**
 * What a process may allocate, where the system can limit it. Node reserves 670 MB of it and uses 90, an image of 50
 * megapixels takes 200, in HEIC 500.
 */
const MEMORY_KB = 1.5 * 1024 * 1024
const SHELL = '/bin/sh'
const LOW_PRIORITY = 10
/** A process without work is ended, for its memory. */
const IDLE_MS = MINUTE_MS

export type ImageProcesses = {
  /**
   * Re-encodes an uploaded image (decision photos-and-files). Refuses with `file_incomplete`, with `image_unreadable`, also for an image that takes too long or
   * ends the process, `image_too_many_pixels`, or `busy` when no process can be started, or too many images wait.
   */
  reencode(userId: string, upload: Buffer): Promise<StoredImage>
  /** Refuses with `busy` when too many images wait, so that an upload is not received for nothing. */
  refuseIfFull(): void
  close(): void
}

/** The process ended before it answered. */
class ProcessEnded extends Error {}

/**
 * Decodes images in processes of their own (decision overload-protection): what an image does to its decoder costs at most ten seconds of
 * one process, which is killed and started again, and never the server. The processes have none of the server's settings and
 * keys, a limited memory, and the lowest claim to the processors; they start with the first image.
 */
export function createImageProcesses(
  log: Logger,
  {
    timeoutMs = TIMEOUT_MS,
    memoryKb = MEMORY_KB,
    processes = PROCESSES,
    maxWaiting = MAX_WAITING,
  }: { timeoutMs?: number | undefined; memoryKb?: number; processes?: number; maxWaiting?: number } = {},
): ImageProcesses {
  /** The processes without work, each with the timer that ends it. */
  const idle = new Map<ChildProcess, NodeJS.Timeout>()
  const all = new Set<ChildProcess>()
  const runFairly = createFairQueue(processes, { maxWaiting })
  let closed = false

  async function startProcess(): Promise<ChildProcess> {
    const child = spawnLimited(memoryKb)
    all.add(child)
    child.once('exit', () => {
      all.delete(child)
      takeIdle(child)
    })
    try {
      await withTimeout(nextMessage(child), Math.max(START_TIMEOUT_MS, timeoutMs))
    } catch (error) {
      child.kill('SIGKILL')
      log.error({ error: describeError(error) }, 'an image process could not be started')
      return refuse('busy', { retryAfterS: 5 })
    }
    lowerPriority(child.pid!)
    return child
  }

  /** Sends an image to a process. A process that does not answer in time is killed. */
  async function askProcess(upload: Buffer): Promise<StoredImage | ImageRefusal> {
    const [waiting] = idle.keys()
    const child = waiting ? takeIdle(waiting) : await startProcess()
    child.ref()
    child.channel?.ref()
    let timedOut = false
    const timer = setTimeout(() => {
      timedOut = true
      log.warn('an image took too long and was given up')
      child.kill('SIGKILL')
    }, timeoutMs)
    try {
      const response = nextMessage(child)
      child.send(upload)
      const result = (await response) as StoredImage | ImageRefusal
      keepIdle(child)
      return result
    } catch {
      child.kill('SIGKILL')
      if (timedOut) return { refused: 'image_unreadable' }
      throw new ProcessEnded()
    } finally {
      clearTimeout(timer)
    }
  }

  /** Keeps a process for the next image, for a while and without keeping the server from ending. */
  function keepIdle(child: ChildProcess) {
    child.unref()
    child.channel?.unref()
    const end = () => {
      takeIdle(child)
      child.kill('SIGKILL')
    }
    idle.set(child, setTimeout(end, IDLE_MS).unref())
  }

  function takeIdle(child: ChildProcess): ChildProcess {
    clearTimeout(idle.get(child))
    idle.delete(child)
    return child
  }

  return {
    async reencode(userId, upload) {
      const result = await runFairly(userId, async () => {
        for (let attempt = 1; ; attempt++) {
          try {
            return await askProcess(upload)
          } catch (error) {
            if (!(error instanceof ProcessEnded)) throw error
            log.warn({ attempt }, 'an image process ended while it had an image')
            // it may have been ended from outside; an image that ends two processes is not tried on a third
            if (closed) refuse('busy', { retryAfterS: 5 })
            if (attempt === 2) return { refused: 'image_unreadable' } as const
          }
        }
      })
      return 'refused' in result ? refuse(result.refused) : result
    },
    refuseIfFull() {
      if (runFairly.isFull()) refuse('busy', { retryAfterS: 5 })
    },
    close() {
      closed = true
      for (const child of all) child.kill('SIGKILL')
    },
  }
}

/** Starts an image process, under a shell that limits its memory where there is one that can. */
function spawnLimited(memoryKb: number): ChildProcess {
  const program = [process.execPath, '--max-old-space-size=128', PROGRAM]
  const [command, ...args] =
    process.platform === 'linux' && existsSync(SHELL)
      ? [SHELL, '-c', `ulimit -d ${memoryKb}; exec "$0" "$@"`, ...program]
      : program
  const child = spawn(command!, args, {
    // no settings, and so no keys; Windows starts nothing without its own folder
    env: process.platform === 'win32' ? { SystemRoot: process.env['SystemRoot'] } : {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  })
  child.on('error', () => {}) // is reported by nextMessage, or by the exit that follows
  return child
}

/** Lowers the claim of a process to the processors once it has started, which beside busy ones it would not do in time otherwise. */
function lowerPriority(pid: number) {
  try {
    // on Linux each thread has its own
    const threads = process.platform === 'linux' ? readdirSync(`/proc/${pid}/task`).map(Number) : [pid]
    for (const thread of threads) setPriority(thread, LOW_PRIORITY)
  } catch {
    // ended already, or not allowed: then it has the priority of the server
  }
}

/** Resolves with the next message of a process; rejects with ProcessEnded, or with why it could not be started. */
async function nextMessage(child: ChildProcess): Promise<unknown> {
  const settled = new AbortController()
  const { signal } = settled
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([message]) => message as unknown),
      once(child, 'exit', { signal }).then(() => Promise.reject(new ProcessEnded())),
    ])
  } finally {
    settled.abort()
  }
}
