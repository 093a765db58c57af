import { readFileSync } from 'node:fs'
import { startProduct } from '../server/src/test/product.ts'

const TICKS_PER_SECOND = 100 // of /proc/<pid>/stat on Linux, whatever the kernel's own clock

/** Returns the middle of some numbers; NaN of none. */
export const median = (numbers: number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN

/** Returns the processor seconds a process has used, or NaN where the system does not say. */
export function cpuSeconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
  } catch {
    return Number.NaN
  }
}

type ProductOptions = {
  url: string
  dataDir: string
  port: number
  role: 'web' | 'all'
  /** How many statements store sends at one time. */
  sendBatches?: number
  /** Lets a profiler of this machine connect. */
  inspectPort?: number
  logLevel?: 'warn' | 'fatal'
}

/** Starts the product as in production, with its limits out of the way, and waits until it is ready. */
export async function startForBench({
  url,
  dataDir,
  port,
  role,
  sendBatches,
  inspectPort,
  logLevel = 'warn',
}: ProductOptions) {
  const { child, stop } = await startProduct(
    {
      DATABASE_URL: url,
      DATA_DIR: dataDir,
      PORT: String(port),
      ROLE: role,
      AUTH_AUTOCONFIRM: 'true',
      LIMIT_SCALE: '1000000',
      MAX_CONNECTIONS: '1000000',
      MAX_CONNECTIONS_PER_ADDRESS: '1000000',
      LOG_LEVEL: logLevel,
      ...(sendBatches && { SEND_BATCHES: String(sendBatches) }),
      ...(inspectPort && { NODE_OPTIONS: `--inspect=127.0.0.1:${inspectPort}` }),
    },
    { stderr: 'inherit' },
  )
  return { pid: child.pid!, stop }
}

/** Returns the bytes of a request, for `runLoad`. */
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
