// npm run dev: the server with reload behind the web app with hot reload, on http://localhost:3000.
import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { ensureInstalled } from './lib/install.mjs'
import { envFileFlags, environment, node26 } from './lib/node26.mjs'
import { passSignals } from './lib/process.mjs'
import { root } from './lib/root.mjs'
import { command } from './lib/stop.mjs'
import { ensureBuilt, hasBuild } from './lib/web-build.mjs'

const webPort = process.env.PORT ?? '3000'
const serverPort = '3001'
const page = `http://localhost:${webPort}`
const server = `http://127.0.0.1:${serverPort}`
const lookEveryMs = 200

await command(async () => {
  await ensureInstalled()
  // The server wants pages to serve, though nobody looks at them there during development; their age does not matter.
  if (!hasBuild()) await ensureBuilt()
  process.stderr.write('Starting the server and the web app…\n')
  const serverEnv = { PORT: serverPort, HOST: '127.0.0.1', PUBLIC_URL: page }
  const children = [
    run(node26(), ['--watch', '--watch-preserve-output', ...envFileFlags(), 'server/src/main.ts'], serverEnv),
    run('react-router', ['dev', 'web', '--port', webPort, '--strictPort', '--logLevel', 'warn'], { API_URL: server }),
  ]
  const stop = (signal) => children.forEach((child) => void child.kill(signal))
  passSignals(stop)
  process.on('exit', () => stop('SIGTERM'))
  for (const child of children) {
    child.on('exit', (code) => {
      process.exitCode ??= code ?? 0
      stop('SIGTERM') // one without the other is of no use
    })
  }
  await bothAnswer(children)
})

/** In a process group of its own, so that Ctrl-C reaches it once, through us; its output stays ours. */
function run(program, args, extra) {
  return spawn(program, args, {
    cwd: root,
    env: environment(extra),
    // The server would announce its own readiness again at each reload: ours is the one line to read.
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: process.platform !== 'win32',
    shell: process.platform === 'win32',
  })
}

async function bothAnswer(children) {
  const running = () => children.every((child) => child.exitCode === null && child.signalCode === null)
  for (const url of [`${server}/healthz`, page]) {
    while (running() && !(await answer(url))) await sleep(lookEveryMs)
  }
  if (running()) console.log(`PlateNote (development) is ready at ${page}`)
}

async function answer(url) {
  try {
    return (await fetch(url)).ok
  } catch {
    return false // not listening yet
  }
}
