import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPool, type Pool } from '../server/src/db/pool.ts'
import { startEmbedded } from '../server/src/postgres/embedded-server.ts'
import { readPostmaster } from '../server/src/postgres/postmaster.ts'
import { formatDatabaseUrl } from '../server/src/test/database-url.ts'
import { findFreePort } from '../server/src/test/free-port.ts'
import { type ServerProcess, startProduct } from '../server/src/test/product.ts'

/** Makes a temporary folder that accounts other than this one may enter: as root, PostgreSQL runs under another. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'platenote-bench-'))
  chmodSync(folder, 0o755)
  return folder
}

const neverChanges = new Int32Array(new SharedArrayBuffer(4))

/**
 * Starts an embedded PostgreSQL in a temporary folder; `env` has it for the product, with a folder beside it. It ends with this
 * process at the latest, also when the product does not start and nothing stops it.
 */
export async function startDatabase(settings: Record<string, string> = {}) {
  const folder = makeFolder()
  const server = await startEmbedded(join(folder, 'postgres'), { settings })
  const removeFolder = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  const kill = () => {
    const postmaster = readPostmaster(server.clusterDir)
    if (postmaster) process.kill(postmaster.pid, 'SIGQUIT') // at once, without writing what is in memory
    for (let tries = 0; readPostmaster(server.clusterDir) && tries < 50; tries++) Atomics.wait(neverChanges, 0, 0, 100)
    removeFolder()
  }
  process.once('exit', kill)
  const url = formatDatabaseUrl(server.connection)
  return {
    url,
    env: { DATABASE_URL: url, DATA_DIR: join(folder, 'data') },
    async [Symbol.asyncDispose]() {
      await server.stop()
      process.off('exit', kill)
      removeFolder()
    },
  }
}

/** Opens connections for the harness itself, with time for long statements. */
export function openDatabase(connection: Parameters<typeof openPool>[0], connections = 2): Pool & AsyncDisposable {
  const pool = openPool(connection, connections, { statementTimeoutMs: 0 })
  return Object.assign(pool, { [Symbol.asyncDispose]: () => pool.end() })
}

const ends = new Set<() => void>()

/**
 * Runs `end` when this process is told to end before its time (Ctrl-C, SIGTERM), because what it started would go on without it.
 * It has to be done when it returns: nothing is awaited then.
 *
 * @returns a function that takes it back, for what has ended by itself
 */
export function endOnInterrupt(end: () => void): () => void {
  if (ends.size === 0) for (const signal of SIGNALS) process.once(signal, endEverything)
  ends.add(end)
  return () => {
    ends.delete(end)
    if (ends.size === 0) for (const signal of SIGNALS) process.off(signal, endEverything)
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

function endEverything(signal: NodeJS.Signals): void {
  try {
    for (const end of ends) end()
  } finally {
    process.exit(128 + constants.signals[signal])
  }
}

/** A process of the installation, which can be killed and started again at its port. */
export type Member = AsyncDisposable & {
  role: 'web' | 'worker' | 'all'
  port: number
  url: string
  isRunning(): boolean
  /** Returns the processor seconds it has used, or NaN where the system does not say. */
  cpuSeconds(): number
  kill(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

/** Starts one process of the product as in production, with its limits out of the way, and waits until it is ready. */
export async function startMember(role: Member['role'], env: Record<string, string>): Promise<Member> {
  const port = await findFreePort()
  let product: ServerProcess | undefined
  const member: Member = {
    role,
    port,
    url: `http://127.0.0.1:${port}`,
    isRunning: () => product?.child.exitCode === null && product.child.signalCode === null,
    cpuSeconds: () => readCpuSeconds(product?.child.pid),
    async kill() {
      await product?.stop('SIGKILL')
    },
    async start() {
      product = await startProduct({
        PORT: String(port),
        ROLE: role,
        AUTH_AUTOCONFIRM: 'true',
        LIMIT_SCALE: '1000000',
        MAX_CONNECTIONS: '1000000',
        MAX_CONNECTIONS_PER_ADDRESS: '1000000',
        LOG_LEVEL: 'fatal',
        ...env,
      })
    },
    async stop() {
      await product?.stop()
    },
    [Symbol.asyncDispose]: () => member.stop(),
  }
  endOnInterrupt(() => product?.child.kill('SIGKILL'))
  await member.start()
  return member
}

const TICKS_PER_SECOND = 100 // of /proc/<pid>/stat on Linux, whatever the kernel's own clock

function readCpuSeconds(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
  } catch {
    return Number.NaN
  }
}

/**
 * Writes owners into the database, with a vehicle each or with more of them. With one each every message goes to another owner:
 * those to one share their mails.
 *
 * @returns a function that returns a plate nobody has written to yet
 */
export async function seedOwners(db: Pool, owners: number, vehicles = owners): Promise<() => string> {
  await db`
    insert into auth.users (id, email, person_hash, encrypted_password, email_confirmed_at)
    select ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'owner' || n || '@example.com', sha256(n::text::bytea), '-', now()
    from generate_series(1, ${owners}::int) n`
  await db`
    insert into vehicles (id, user_id, plate, make, model, registration_year, province, status)
    select ('00000000-0000-7000-9000-' || lpad(to_hex(n), 12, '0'))::uuid,
      ('00000000-0000-7000-8000-' || lpad(to_hex(n % ${owners}::int + 1), 12, '0'))::uuid,
      'B' || lpad(n::text, 6, '0'), 'Honda', 'Civic', 2020, 'Ontario', 'active'
    from generate_series(1, ${vehicles}::int) n`
  // only the tables that were filled: once vacuumed, an empty table is planned for as empty, which no installation has
  await db.unsafe('vacuum analyze auth.users, vehicles')
  let next = 0
  return () => plateOf((next++ % vehicles) + 1)
}

/** Returns the nth of these plates, counted from 1. */
export const plateOf = (n: number) => `B${String(n).padStart(6, '0')}`

export const PASSWORD = 'Correct-horse-7'

export type BenchUser = { id: string; token: string }

/** Returns calls to a process. Each throws unless it succeeds. */
export function createClient({ url }: Member) {
  const call = async (method: string, path: string, token: string | null, body?: unknown): Promise<unknown> => {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path} responded ${response.status}: ${await response.text()}`)
    return response.status === 204 ? undefined : response.json()
  }
  return {
    call,
    /** Signs up `<name>@example.com` with PASSWORD. */
    async signUp(name: string): Promise<BenchUser> {
      const account = { email: `${name}@example.com`, password: PASSWORD, data: { full_name: 'Sam' } }
      const session = await call('POST', '/auth/v1/signup', null, account)
      const { access_token, user } = session as { access_token: string; user: { id: string } }
      return { id: user.id, token: access_token }
    },
    /** Registers a plate for the owner of the token. */
    async registerPlate(token: string, plate: string): Promise<void> {
      const vehicle = { plate, make: 'Honda', model: 'Civic', registration_year: 2020, province: 'Ontario' }
      await call('POST', '/register-plate', token, vehicle)
    },
  }
}
