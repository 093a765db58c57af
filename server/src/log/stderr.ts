import { fstatSync, write, writeSync } from 'node:fs'
import type { DestinationStream } from 'pino'

const STDERR = 2
const BATCH_CHARS = 4_096
const WAITING_MAX_CHARS = 1024 * 1024
const FLUSH_INTERVAL_MS = 250
const LINE_FEED = 10

/**
 * Opens standard error for log lines, which are written in batches, at most a quarter of a second late and before the process
 * ends. What cannot be written (the disk is full, the reader stalls or has gone) never stops the service: it is dropped and
 * counted, and the first line that can be written says how many are missing.
 */
export function openStderr(): DestinationStream {
  // Node makes a pipe non-blocking when it opens its stream. A thread that is blocked in writing to a pipe nobody reads would keep
  // the process from ending.
  if (!fstatSync(STDERR).isFile()) void process.stderr
  let waiting = ''
  /** What is left of a batch of which a part was written. */
  let begun = Buffer.alloc(0)
  let isWriting = false
  let lost = 0
  let endsInLine = false

  const takeBatch = () => {
    const lines = Buffer.concat([begun, Buffer.from(waiting)])
    begun = Buffer.alloc(0)
    waiting = ''
    const missing = lost === 0 ? '' : `${endsInLine ? '\n' : ''}${describeLoss(lost)}`
    return { lines, bytes: Buffer.concat([Buffer.from(missing), lines]) }
  }
  const flush = () => {
    if (isWriting || waiting.length + begun.length === 0) return
    const { lines, bytes } = takeBatch()
    isWriting = true
    write(STDERR, bytes, (error, written) => {
      isWriting = false
      if (error?.code === 'EAGAIN')
        begun = lines // the reader is slow: the next round tries again
      else if (error) lost += countLines(lines)
      else {
        begun = bytes.subarray(written)
        lost = 0
        endsInLine = bytes[written - 1] !== LINE_FEED
        if (begun.length > 0) flush()
      }
    })
  }
  setInterval(flush, FLUSH_INTERVAL_MS).unref()
  process.on('exit', () => {
    let { bytes } = takeBatch()
    try {
      while (bytes.length > 0) bytes = bytes.subarray(writeSync(STDERR, bytes))
    } catch {
      // nobody is left whom it could be told
    }
  })
  return {
    write(line) {
      if (waiting.length + begun.length + line.length > WAITING_MAX_CHARS) lost += 1
      else waiting += line
      if (waiting.length >= BATCH_CHARS && begun.length === 0) flush()
    },
  }
}

const describeLoss = (lines: number): string =>
  `${JSON.stringify({ level: 40, time: new Date().toISOString(), pid: process.pid, lines, msg: 'log lines were lost' })}\n`

const countLines = (bytes: Buffer): number => bytes.reduce((count, byte) => count + Number(byte === LINE_FEED), 0)
