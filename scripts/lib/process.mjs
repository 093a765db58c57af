import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { CliError } from './cli-error.mjs'

const tailLines = 25
/** How long a program's output may go on after its end: only a process that it started and left behind writes it. */
const lingerMs = 10_000
const parentPid = process.ppid

/** Returns the name and the parent of another process (proc_pid_stat(5)); nothing where the system has no /proc, or it has ended. */
function inspectProcess(pid) {
  try {
    const [, name, parent] = /\((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))
    return { name, parent }
  } catch {
    return {}
  }
}

/** Returns whether a process is alive, other users' included. */
export function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Returns how a child ended as a shell does: its exit code, or 128 + the number of its signal. */
export const exitCode = (code, signal) => code ?? 128 + (constants.signals[signal] ?? 0)

/**
 * Runs a program to its end and collects its output. Never rejects: a program that cannot be started ends with 127.
 * A signal to this process is passed on and the program awaited, so that it never goes on alone;
 * with `killAfterMs` it has that long to end. With `isShown` the output also appears as it comes.
 */
export function capture(program, args, { timeoutMs, killAfterMs, isShown, ...options } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: timeoutMs, ...options })
    const chunks = []
    let ending
    const stopPassing = forwardSignals((signal) => {
      ending = signal
      child.kill(signal)
      if (killAfterMs) setTimeout(() => child.kill('SIGKILL'), killAfterMs).unref()
    })
    const end = (result) => {
      stopPassing()
      if (ending) process.exit(exitCode(null, ending))
      resolve(result)
    }
    for (const [from, to] of [
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ]) {
      from.on('data', (chunk) => chunks.push(chunk))
      if (isShown) from.pipe(to, { end: false })
    }
    // what it left behind may keep its output open
    child.on('exit', () => {
      setTimeout(() => {
        child.stdout.destroy()
        child.stderr.destroy()
      }, lingerMs).unref()
    })
    child.on('error', (error) => end({ code: 127, output: error.message }))
    child.on('close', (code, signal) => end({ code: exitCode(code, signal), output: Buffer.concat(chunks).toString() }))
  })
}

/**
 * Runs a program behind a progress line. Its output appears only when it fails: the last lines, then the CliError of
 * `explain(output)`, one clear line.
 */
export async function runQuietly(label, program, args, { explain, ...options }) {
  const done = startProgress(label)
  const { code, output } = await capture(program, args, options)
  done(code === 0 ? 'done' : 'failed')
  if (code === 0) return output
  const lines = output.split('\n').filter((line) => line.trim() && !line.startsWith('npm warn'))
  process.stderr.write(`${lines.slice(-tailLines).join('\n')}\n`)
  throw new CliError(explain(output))
}

const progressIntervalMs = 10_000

/**
 * Shows progress on stderr: `label… 12 s`. A terminal sees the seconds count on one line; a log file
 * gets a line at the start, one every 10 seconds and one at the end. Returns a function that ends it.
 */
function startProgress(label) {
  const started = performance.now()
  const seconds = () => Math.round((performance.now() - started) / 1000)
  const terminal = process.stderr.isTTY
  const show = () => process.stderr.write(terminal ? `\r${label}… ${seconds()} s` : `${label}… ${seconds()} s\n`)
  process.stderr.write(terminal ? `${label}…` : `${label}…\n`)
  const timer = setInterval(show, terminal ? 1000 : progressIntervalMs)
  return (outcome = 'done') => {
    clearInterval(timer)
    process.stderr.write(`${terminal ? '\r' : ''}${label}: ${outcome} (${seconds()} s)\n`)
  }
}

/**
 * Runs a program in the foreground until it ends, on our own input and output, and returns its exit code.
 *
 * A signal reaches it exactly once. Ctrl-C in a terminal reaches this process twice (from the terminal and from npm,
 * which passes it on) and would reach the program a third time; so the program gets its own process group, and
 * signals that arrive together here are passed on as one.
 */
export function runInForeground(program, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit', detached: process.platform !== 'win32', ...options })
    const stopPassing = forwardSignals((signal) => child.kill(signal))
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      stopPassing()
      resolve(exitCode(code, signal))
    })
  })
}

const dedupeMs = 500
const parentPollMs = 300

/**
 * Calls `forward(signal)` for the signals that end a program, once for repetitions within half a second. Returns a function
 * that stops it. npm passes on SIGINT and SIGTERM alone, and dies of all: where npm or the shell it starts us with is gone, that
 * counts as a SIGTERM.
 */
export function forwardSignals(forward) {
  const last = {}
  const onSignal = (signal) => {
    const now = performance.now()
    if (now - (last[signal] ?? Number.NEGATIVE_INFINITY) > dedupeMs) forward(signal)
    last[signal] = now
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']
  for (const signal of signals) process.on(signal, onSignal)
  const npmPid = process.env.npm_lifecycle_event && findNpmBehindShell()
  const parentTimer = process.env.npm_lifecycle_event && setInterval(checkParent, parentPollMs)
  function checkParent() {
    if (process.ppid === parentPid && (npmPid === undefined || inspectProcess(parentPid).parent === npmPid)) return
    clearInterval(parentTimer)
    onSignal('SIGTERM')
  }
  return () => {
    clearInterval(parentTimer)
    for (const signal of signals) process.off(signal, onSignal)
  }
}

/** Returns the process of npm where a shell stands between it and us: some shells become the program they start, others wait for it. */
function findNpmBehindShell() {
  const { name, parent } = inspectProcess(parentPid)
  return name === 'sh' ? parent : undefined
}
