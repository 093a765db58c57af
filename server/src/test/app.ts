import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Config, loadConfig } from '../config.ts'
import type { PasswordHashing } from '../context.ts'
import { startServer } from '../start.ts'
import { accepted, type Caller, createCaller, type TestResponse } from './caller.ts'
import { callingFile, closeAtEnd } from './closing.ts'
import { createTestDatabase, openTestPool, PATIENCE_MS } from './database.ts'
import { eventually } from './eventually.ts'

export { accepted, type Caller, createCaller, type TestResponse }

/** A signed-in user. */
export type Person = Caller & { id: string; email: string; password: string; token: string; refreshToken: string }

export type CapturedMail = { id: string; to: string; subject: string; text: string; html: string; sent_at: string }

export type TestApp = Awaited<ReturnType<typeof testApp>>

/** Returns the items of all pages of a list, in their order. */
export async function allItems(who: Caller, path: string) {
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever the server sent
  const items: any[] = []
  for (let cursor = ''; ; ) {
    const { items: more, next } = await accepted(who.get(path + cursor))
    items.push(...more)
    if (next === null) return items
    cursor = `&cursor=${next}`
  }
}

/** Deletes somebody's account. */
export const deleteAccount = async (person: Person): Promise<void> =>
  assert.equal((await person.post('/functions/v1/delete-user', { id: person.id })).status, 200)

/** A valid password for users whose password does not matter. */
export const PASSWORD = 'Correct-horse-7'

/** The least argon2 takes. */
const CHEAP_HASHES = { memoryCost: 8, timeCost: 1, parallelism: 1 }

/** Returns an address that no account has yet. */
export const newEmail = (): string => `person-${randomUUID()}@example.com`

/** Another running app to share a database and a folder with: two processes of one installation. */
type SiblingApp = { config: Config; database: Awaited<ReturnType<typeof createTestDatabase>> }

/**
 * Starts the whole server on a fresh database and a free port, without the web app. Users are created through the API.
 * Limits are raised and email addresses confirm themselves, unless the settings say otherwise.
 */
export async function testApp({
  settings = {},
  sibling,
  passwordHashing = CHEAP_HASHES,
}: {
  settings?: Record<string, string>
  sibling?: SiblingApp
  passwordHashing?: PasswordHashing
} = {}) {
  const openedBy = callingFile()
  const dataDir = sibling?.config.DATA_DIR ?? mkdtempSync(join(tmpdir(), 'platenote-test-'))
  const database = sibling?.database ?? (await createTestDatabase())
  const config = loadConfig({
    DATA_DIR: dataDir,
    PORT: '0',
    PUBLIC_URL: 'http://platenote.test',
    LOG_LEVEL: 'silent',
    LIMIT_SCALE: '1000',
    MAX_CONNECTIONS_PER_ADDRESS: '20000', // all tests come from one
    MAX_CONCURRENT_CALLS: '20000',
    AUTH_AUTOCONFIRM: 'true',
    DATABASE_POOL: '4', // each connection plans every statement anew
    ...settings,
  })
  const db = openTestPool(database.connection, config.DATABASE_POOL)
  const running = await startServer(config, db, { passwordHashing, patienceMs: PATIENCE_MS })
  const anonymous = createCaller(running.url)

  /** Returns whoever a sign-up or a sign-in has given a session. */
  const toPerson = (email: string, password: string, { status, body, text }: TestResponse): Person => {
    if (status !== 200) throw new Error(`the response was ${status}: ${text}`)
    return {
      ...createCaller(running.url, body.access_token),
      id: body.user.id,
      email,
      password,
      token: body.access_token,
      refreshToken: body.refresh_token,
    }
  }
  const signIn = async (email: string, password: string) =>
    toPerson(email, password, await anonymous.post('/auth/v1/token?grant_type=password', { email, password }))

  let plateCount = 0
  const register = async (owner: Person, plate: string, province = 'Ontario') => {
    const input = { plate, make: 'Honda', model: 'Civic', registration_year: 2020, province }
    const { status, body, text } = await owner.post('/register-plate', input)
    if (status !== 200) throw new Error(`the registration responded ${status}: ${text}`)
    return body as { vehicle: { id: string; plate: string; province: string; status: string } }
  }

  const end = async () => {
    await running.stop()
    await db.end({ timeout: 5 })
    if (sibling) return
    await database.drop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  let ended: Promise<void> | undefined
  const close = () => {
    ended ??= end()
    return ended
  }
  closeAtEnd(close, openedBy)

  return {
    url: running.url,
    config,
    database,
    db,
    context: running.context,
    visitor: anonymous,
    /** Returns the same calls with any bearer token. */
    withToken: (token: string) => createCaller(running.url, token),
    signIn,
    /** Signs a user up, which gives a session: a moment ago, unless the account is to be older than its first day. */
    async user(
      who: { email?: string; password?: string; full_name?: string; locale?: string; aged?: boolean } = {},
    ): Promise<Person> {
      const email = who.email ?? newEmail()
      const password = who.password ?? PASSWORD
      const data = { full_name: who.full_name ?? 'Alex Tremblay', ...(who.locale && { locale: who.locale }) }
      const person = toPerson(email, password, await anonymous.post('/auth/v1/signup', { email, password, data }))
      if (who.aged)
        await db`update auth.users set email_confirmed_at = email_confirmed_at - interval '25 hours' where id = ${person.id}`
      return person
    },
    /**
     * Registers a vehicle through the API. To reach the status `pending_verification`, another user registers the same plate;
     * any other status is set in the database.
     */
    async vehicle(owner: Person, options: { plate?: string; province?: string; status?: string } = {}) {
      const plate = options.plate ?? `T${String(++plateCount).padStart(5, '0')}`
      const { vehicle } = await register(owner, plate, options.province)
      if (options.status === 'pending_verification') await register(await this.user(), plate, options.province)
      else if (options.status) await db`update vehicles set status = ${options.status} where id = ${vehicle.id}`
      return vehicle
    },
    /** Resolves with the captured emails to an address, newest first, once there are at least `minCount`. */
    async mails(to: string, minCount = 1): Promise<CapturedMail[]> {
      return eventually(async () => {
        const { body } = await anonymous.get(`/dev/mailbox.json?to=${encodeURIComponent(to)}`)
        return body.length >= minCount ? body : undefined
      })
    },
    /** Closes it now; it closes by itself when all tests of the process are over. */
    close,
    [Symbol.asyncDispose]: close,
  }
}
