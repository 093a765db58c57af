import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { AuthClient, type Session } from '@supabase/auth-js'
import type { TestApp } from './app.ts'

type Options = ConstructorParameters<typeof AuthClient>[0]

/** The storage of a browser, and the key of the session in it. */
type BrowserStorage = { items: Map<string, string>; storageKey: string }

/**
 * Creates the unmodified browser client, with the headers supabase-js gives it and its session in memory.
 *
 * @param browser the storage of another client, to share it as the tabs of a browser do
 */
export function createAuthClient(
  url: string,
  options: Options = {},
  { items, storageKey }: BrowserStorage = { items: new Map(), storageKey: `sb-${randomUUID()}-auth-token` },
) {
  const auth = new AuthClient({
    url: `${url}/auth/v1`,
    headers: { apikey: 'sb_publishable_key', Authorization: 'Bearer sb_publishable_key' },
    storageKey,
    storage: {
      getItem: (key) => items.get(key) ?? null,
      setItem: (key, value) => void items.set(key, value),
      removeItem: (key) => void items.delete(key),
    },
    autoRefreshToken: false,
    detectSessionInUrl: false,
    ...options,
  })
  const events: string[] = []
  auth.onAuthStateChange((event) => void events.push(event))
  return {
    auth,
    items,
    storageKey,
    /** The events the client has emitted so far. */
    events,
    /** The stored session, or null. */
    stored: (): Session | null => JSON.parse(items.get(storageKey) ?? 'null'),
    /** Changes the stored session, as time or another tab would. */
    store: (change: Partial<Session>) =>
      void items.set(storageKey, JSON.stringify({ ...JSON.parse(items.get(storageKey) ?? '{}'), ...change })),
  }
}

/** Creates a person, and signs them in with a client of their own. */
export async function signInClient(app: TestApp) {
  const person = await app.user()
  const client = createAuthClient(app.url)
  const { error } = await client.auth.signInWithPassword({ email: person.email, password: person.password })
  assert.equal(error, null)
  return { ...client, person }
}

type Failure = { name: string; status: number | undefined; code: string | undefined }

/** Returns the class, status and code of a failed call of the client. */
export function authFailure({ error }: { error: unknown }): Failure {
  assert.ok(error instanceof Error, 'the call fails')
  const { name, status, code } = error as Error & Failure
  return { name, status, code }
}
