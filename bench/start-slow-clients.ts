import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/**
 * Connects slow clients, in a process of their own, and returns a function that ends them and returns how many connections they
 * have opened, and how many were open in each second since all had connected.
 *
 * @param connectOverS the time over which they connect at first
 * @param awayS how long a client waits to reconnect, on average
 */
export async function startSlowClients(
  port: number,
  count: number,
  token: string,
  { connectOverS = 0, awayS = 0 } = {},
): Promise<() => Promise<{ opened: number; samples: number[] }>> {
  const file = join(import.meta.dirname, 'slow-client-process.ts')
  const child = spawn(
    process.execPath,
    [file, String(port), String(count), token, String(connectOverS), String(awayS)],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )
  const ended = once(child, 'exit')
  const isConnected = await Promise.race([once(child.stdout, 'data').then(() => true), ended.then(() => false)])
  if (!isConnected) throw new Error('the slow clients could not connect')
  let report = ''
  child.stdout.on('data', (text) => {
    report += text
  })
  return async () => {
    child.stdin.end()
    await ended
    return JSON.parse(report) as { opened: number; samples: number[] }
  }
}
