// npm run dev: the server with reload behind the web app with hot reload, on http://localhost:3000.
import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { runCommand } from './lib/cli-error.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { childEnvironment, envFileFlags, nodeBinary } from './lib/node-runtime.mjs'
import { forwardSignals } from './lib/process.mjs'
import { root } from './lib/root.mjs'
import { ensureBuilt, hasBuild } from './lib/web-build.mjs'

const webPort = process.env.PORT ?? '3000'
const serverPort = '3001'
const page = `http://localhost:${webPort}`
const server = `http://127.0.0.1:${serverPort}`
const pollMs = 200

await runCommand(async () => {
  await ensureInstalled()
  // The server needs pages to serve, although nobody looks at them there during development; they may be outdated.
  if (!hasBuild()) await ensureBuilt()
  process.stderr.write('Starting the server and the web app…\n')
  const serverEnv = { PORT: serverPort, HOST: '127.0.0.1', PUBLIC_URL: page }
  const children = [
    spawnChild(
      nodeBinary(),
      ['--watch', '--watch-preserve-output', ...envFileFlags(), 'server/src/main.ts'],
      serverEnv,
    ),
    spawnChild('react-router', ['dev', 'web', '--port', webPort, '--strictPort', '--logLevel', 'warn'], {
      API_URL: server,
    }),
  ]
  const stop = (signal) => children.forEach((child) => void child.kill(signal))
  forwardSignals(stop)
  process.on('exit', () => stop('SIGTERM'))
  for (const child of children) {
    child.on('exit', (code) => {
      process.exitCode ??= code ?? 0
      stop('SIGTERM') // one is useless without the other
    })
  }
  await waitUntilReady(children)
})

/** Starts a program in its own process group, so that Ctrl-C reaches it once, through us. */
function spawnChild(program, args, extra) {
  return spawn(program, args, {
    cwd: root,
    env: childEnvironment(extra),
    // The server would announce its readiness again at each reload; our own line is enough.
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: process.platform !== 'win32',
    shell: process.platform === 'win32',
  })
}

async function waitUntilReady(children) {
  const running = () => children.every((child) => child.exitCode === null && child.signalCode === null)
  for (const url of [`${server}/healthz`, page]) {
    while (running() && !(await isUp(url))) await sleep(pollMs)
  }
  if (running()) console.log(`PlateNote (development) is ready at ${page}`)
}

async function isUp(url) {
  try {
    return (await fetch(url)).ok
  } catch {
    return false // not listening yet
  }
}
