import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/**
 * Starts one of the bare servers in a process of its own, which shows what HTTP itself costs, and waits until it listens.
 *
 * @returns a function that stops it
 */
export async function startBareServer(file: string, ...args: (string | number)[]): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, [join(import.meta.dirname, file), ...args.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(createInterface({ input: child.stdout }), 'line')
  return async () => {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
}
