import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const TICKS_PER_SECOND = 100 // of /proc/<pid>/stat on Linux, whatever the kernel's own clock

export const median = (numbers: number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN

/** Seconds of processor a process has used, or NaN where the system does not tell. */
export function cpuSeconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
  } catch {
    return Number.NaN
  }
}

type ProductOptions = { url: string; dataDir: string; port: number; role: 'web' | 'all' }

/** Starts the product as it is started in earnest, with its limits out of the way, and waits for its line. */
export async function startProduct({ url, dataDir, port, role }: ProductOptions) {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../server/src/main.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: url,
      DATA_DIR: dataDir,
      PORT: String(port),
      ROLE: role,
      AUTH_AUTOCONFIRM: 'true',
      LIMIT_SCALE: '1000000',
      LOG_LEVEL: 'warn',
    },
  })
  const lines = createInterface({ input: child.stdout })
  const [line] = await Promise.race([once(lines, 'line'), once(child, 'exit').then(() => [undefined])])
  if (line === undefined) throw new Error('the product did not start')
  return {
    pid: child.pid!,
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

/** The bytes of a call, for `runLoad`. */
export function encodeRequest(
  port: number,
  method: 'GET' | 'POST',
  path: string,
  token: string | null,
  body?: unknown,
) {
  const text = body === undefined ? '' : JSON.stringify(body)
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `host: localhost:${port}`,
    ...(token ? [`authorization: Bearer ${token}`] : []),
    ...(text ? ['content-type: application/json', `content-length: ${Buffer.byteLength(text)}`] : []),
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${text}`)
}
