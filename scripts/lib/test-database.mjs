import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { CliError } from './cli-error.mjs'
import { childEnvironment, nodeBinary } from './node-runtime.mjs'
import { root } from './root.mjs'

let running

/**
 * What tests find in TEST_DATABASE_URL: the PostgreSQL named there already, or one started here for the whole run. It
 * ends when its input closes, so it never outlives this process, however that ends.
 */
export async function testDatabaseUrl() {
  if (process.env.TEST_DATABASE_URL) return process.env.TEST_DATABASE_URL
  running ??= await startTestDatabase()
  return running.url
}

export function stopTestDatabase() {
  running?.child.stdin.end()
  running = undefined
}

function startTestDatabase() {
  return new Promise((resolve, reject) => {
    const child = spawn(nodeBinary(), ['server/src/test/serve-postgres.ts'], {
      cwd: root,
      env: childEnvironment(),
      stdio: ['pipe', 'pipe', 'inherit'],
      detached: process.platform !== 'win32', // Ctrl-C reaches the tests first; they still need it to end cleanly
    })
    const failed = () => reject(new CliError('the PostgreSQL for the tests did not start (see above).'))
    child.on('error', failed)
    child.on('exit', failed)
    child.stdin.on('error', () => {}) // it may have ended by itself before we end it
    createInterface({ input: child.stdout }).once('line', (line) => resolve({ child, url: JSON.parse(line).url }))
  })
}
