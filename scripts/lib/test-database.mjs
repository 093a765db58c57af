import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { environment, node26 } from './node26.mjs'
import { root } from './root.mjs'
import { Stop } from './stop.mjs'

let running

/**
 * What tests find in TEST_DATABASE_URL: the PostgreSQL named there already, or one started here for the whole run. It
 * ends when its input closes, so it never outlives this process, however that ends.
 */
export async function testDatabaseUrl() {
  if (process.env.TEST_DATABASE_URL) return process.env.TEST_DATABASE_URL
  running ??= await start()
  return running.url
}

export function stopTestDatabase() {
  running?.child.stdin.end()
  running = undefined
}

function start() {
  return new Promise((resolve, reject) => {
    const child = spawn(node26(), ['server/src/test/serve-postgres.ts'], {
      cwd: root,
      env: environment(),
      stdio: ['pipe', 'pipe', 'inherit'],
      detached: process.platform !== 'win32', // Ctrl-C reaches the tests first; they still need it to end cleanly
    })
    const failed = () => reject(new Stop('the PostgreSQL for the tests did not start (see above).'))
    child.on('error', failed)
    child.on('exit', failed)
    child.stdin.on('error', () => {}) // it may have ended by itself before we end it
    createInterface({ input: child.stdout }).once('line', (line) => resolve({ child, url: JSON.parse(line).url }))
  })
}
