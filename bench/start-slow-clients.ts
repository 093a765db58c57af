import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** Connects slow clients, in a process of their own, and returns a function that ends them. */
export async function startSlowClients(port: number, count: number, token: string): Promise<() => Promise<void>> {
  const file = join(import.meta.dirname, 'slow-client-process.ts')
  const child = spawn(process.execPath, [file, String(port), String(count), token], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const isConnected = await Promise.race([once(child.stdout, 'data').then(() => true), ended.then(() => false)])
  if (!isConnected) throw new Error('the slow clients could not connect')
  return async () => {
    child.stdin.end()
    await ended
  }
}
