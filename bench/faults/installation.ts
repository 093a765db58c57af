import { constants } from 'node:os'
import { openPool, type Pool } from '../../server/src/db/pool.ts'
import { findFreePort } from '../../server/src/test/free-port.ts'
import { type ServerProcess, startProduct } from '../../server/src/test/product.ts'

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
export type Member = {
  role: 'web' | 'worker' | 'all'
  url: string
  isRunning(): boolean
  kill(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

/** Starts one process of the product, with its limits out of the way. */
export async function startMember(role: Member['role'], env: Record<string, string>): Promise<Member> {
  const port = await findFreePort()
  let product: ServerProcess | undefined
  const member: Member = {
    role,
    url: `http://127.0.0.1:${port}`,
    isRunning: () => product?.child.exitCode === null && product.child.signalCode === null,
    async kill() {
      await product?.stop('SIGKILL')
    },
    async start() {
      product = await startProduct({
        PORT: String(port),
        ROLE: role,
        AUTH_AUTOCONFIRM: 'true',
        LIMIT_SCALE: '1000000',
        MAX_CONNECTIONS_PER_ADDRESS: '1000000',
        LOG_LEVEL: 'fatal',
        ...env,
      })
    },
    async stop() {
      await product?.stop()
    },
  }
  endOnInterrupt(() => product?.child.kill('SIGKILL'))
  await member.start()
  return member
}

const plateOf = (n: number) => `B${String(n).padStart(6, '0')}`

/**
 * Writes owners with a vehicle each into the database: every message then goes to another owner, because those to one share
 * their mails.
 *
 * @returns a function that returns a plate nobody has written to yet
 */
export async function seedOwners(db: Pool, count: number): Promise<() => string> {
  await db`
    insert into auth.users (id, email, encrypted_password, email_confirmed_at)
    select ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'owner' || n || '@example.com', '-', now()
    from generate_series(1, ${count}::int) n`
  await db`
    insert into vehicles (id, user_id, plate, make, model, registration_year, province, status)
    select ('00000000-0000-7000-9000-' || lpad(to_hex(n), 12, '0'))::uuid,
      ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
      'B' || lpad(n::text, 6, '0'), 'Honda', 'Civic', 2020, 'Ontario', 'active'
    from generate_series(1, ${count}::int) n`
  await db.unsafe('vacuum analyze auth.users, vehicles')
  let next = 0
  return () => plateOf((next++ % count) + 1)
}

/** Opens a connection for the harness itself, with time for long statements. */
export const openForHarness = (connection: Parameters<typeof openPool>[0]): Pool =>
  openPool(connection, 2, { statementTimeoutMs: 0 })
