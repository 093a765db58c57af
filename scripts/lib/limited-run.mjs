// Runs a Node program that may hang, and says what it was doing then.

import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const hasGroups = process.platform !== 'win32'
const reportSignal = 'SIGUSR2'
const reportWaitMs = 10_000
/** How long output may go on after the program's end: only a process that it started and left behind writes it. */
const lingerMs = 10_000

/**
 * Runs a Node program to its end and returns whether it ended well, and its output. One that takes longer than `limitMs` has failed: it
 * is killed with what it started, and its output ends with what kept it running. One that ends and leaves a process with its output has
 * failed too.
 *
 * A signal to this process is not passed on: `endAll` ends what is running.
 */
export function runLimited(args, { limitMs, ...options }) {
  const folder = mkdtempSync(join(tmpdir(), 'platenote-run-'))
  const report = join(folder, 'report.json')
  const flags = hasGroups
    ? [
        '--report-on-signal',
        `--report-signal=${reportSignal}`,
        `--report-directory=${folder}`,
        '--report-filename=report.json',
        '--report-exclude-env',
        '--report-exclude-network', // would look up the names of addresses
      ]
    : []
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...flags, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: hasGroups,
      ...options,
    })
    running.add(child)
    const chunks = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk))
    const fail = (line) => {
      chunks.push(Buffer.from(`\n${line}\n`))
      failed = true
    }
    let failed = false
    const end = async () => {
      const last = Buffer.concat(chunks).toString().trimEnd().split('\n').at(-1)
      // on one line, which a summary can take
      fail(`✖ did not end within ${limitMs / 1000} s: ${await describeHang(child, report)}, after: ${last}`)
      kill(child, 'SIGKILL')
    }
    const limit = setTimeout(() => void end(), limitMs)
    let linger
    child.on('exit', () => {
      clearTimeout(limit)
      linger = setTimeout(() => {
        if (!failed) fail('✖ ended, and left a process that still has its output.')
        kill(child, 'SIGKILL')
        // one in a group of its own goes on, and nobody waits for it
        for (const stream of [child.stdout, child.stderr]) stream.destroy()
      }, lingerMs)
    })
    child.on('close', (code) => {
      clearTimeout(linger)
      running.delete(child)
      rmSync(folder, { recursive: true, force: true })
      resolve({ ok: code === 0 && !failed, output: Buffer.concat(chunks).toString() })
    })
  })
}

const running = new Set()

/** Sends a signal to every program that is running, and to what it started. */
export function endAll(signal) {
  for (const child of running) kill(child, signal)
}

function kill(child, signal) {
  try {
    process.kill(hasGroups ? -child.pid : child.pid, signal)
  } catch (error) {
    if (error.code !== 'ESRCH') throw error // it has ended
  }
}

/** Lets a program write Node's own report, and returns what it waits for; one that never comes back to its event loop writes none. */
async function describeHang(child, report) {
  if (!hasGroups) return ''
  child.kill(reportSignal)
  let text = ''
  for (const deadline = Date.now() + reportWaitMs; Date.now() < deadline; await delay(100)) {
    if (existsSync(report)) text = readFileSync(report, 'utf8')
    if (isJson(text)) return summarize(JSON.parse(text))
  }
  return 'it computes without a pause'
}

function isJson(text) {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false // not written to its end yet
  }
}

function summarize({ libuv }) {
  const waitsFor = libuv
    .filter((handle) => handle.is_active && handle.is_referenced)
    .map(({ type, is_active, is_referenced, address, ...more }) => `${type} ${JSON.stringify(more)}`)
  return `it waits for ${waitsFor.join(', ')}`
}
