import assert from 'node:assert/strict'
import type { Caller, TestApp, TestResponse } from '../app.ts'
import { PASSWORD } from '../app.ts'
import { openStream } from '../event-stream.ts'
import { eventually } from '../eventually.ts'
import type { FakeBrowser } from '../fake-push-service.ts'
import { decodeClaims } from '../jwt.ts'
import type { ReceivedMail, SmtpInbox } from '../smtp-inbox.ts'
import type { Secrets } from './secrets.ts'

/** A person of the model: an account with all its sessions, devices and open streams. */
export type ModelPerson = {
  /** Names the account among the secrets' readers; somebody who signs up again has a new one. */
  key: string
  id: string
  email: string
  /** The words only this person's address and name have. */
  words: { email: string; name: string }
  token: string
  /** Every response of these calls is searched. */
  calls: Caller
  browsers: FakeBrowser[]
  /** `inspected`: how much of it was searched already. */
  streams: (Awaited<ReturnType<typeof openStream>> & { openedAt: string; inspected: number })[]
  /** The pages the person's mails lead to and that need no session. */
  mailedPaths: Set<string>
}

type Inspect = (reader: string, source: string, text: string) => void

let words = 0
/** Makes a word that occurs nowhere else, and that no other contains. */
export const newUniqueWord = (): string => `zq${(words++).toString(36).padStart(5, '0')}qz`

let networks = 0

/** Returns what a response shows its reader. */
const asRead = ({ status, headers, text }: TestResponse): string => `${status} ${JSON.stringify([...headers])} ${text}`

/** Makes calls whose responses are all inspected, with the person's own address and browser. */
function inspectedCalls(calls: Caller, reader: string, own: Record<string, string>, inspect: Inspect): Caller {
  const inspected = async (source: string, response: Promise<TestResponse>) => {
    const answer = await response
    assert.ok(answer.status < 500, `${source}: ${answer.status} ${answer.text}`)
    inspect(reader, source, asRead(answer))
    return answer
  }
  return {
    get: (path, headers) => inspected(`GET ${path}`, calls.get(path, { ...own, ...headers })),
    post: (path, body, headers) => inspected(`POST ${path}`, calls.post(path, body, { ...own, ...headers })),
    patch: (path, body, headers) => inspected(`PATCH ${path}`, calls.patch(path, body, { ...own, ...headers })),
    put: (path, body, headers) => inspected(`PUT ${path}`, calls.put(path, body, { ...own, ...headers })),
    delete: (path, body, headers) => inspected(`DELETE ${path}`, calls.delete(path, body, { ...own, ...headers })),
  }
}

/** Signs somebody up by the link in the email, as a person does, and registers what only they may know. */
export async function signUpPerson(
  { app, inbox, secrets, inspect }: { app: TestApp; inbox: SmtpInbox; secrets: Secrets; inspect: Inspect },
  key: string,
): Promise<ModelPerson> {
  const own = { email: newUniqueWord(), name: newUniqueWord(), browser: newUniqueWord() }
  const email = `${own.email}@example.com`
  const network = ++networks
  const headers = {
    'x-forwarded-for': `10.${100 + Math.floor(network / 100)}.${100 + (network % 100)}.123`,
    'user-agent': own.browser,
  }
  secrets.add('address', own.email, key)
  secrets.add('name', own.name, key)
  secrets.add('browser', own.browser, key)
  secrets.add('IP address', headers['x-forwarded-for'], key)
  const visiting = inspectedCalls(app.visitor, key, headers, inspect)
  const account = { email, password: PASSWORD, data: { full_name: own.name } }
  const signedUp = await visiting.post('/auth/v1/signup', account)
  assert.equal(signedUp.status, 200, signedUp.text)
  const [mail] = await inbox.to(email)
  const token = linkTokens(mail!)[0] ?? assert.fail('the email has no link')
  const opened = await visiting.post('/auth/v1/verify', { type: 'signup', token_hash: token })
  assert.equal(opened.status, 200, opened.text)
  secrets.add('account id', opened.body.user.id, key)
  secrets.add('session id', decodeClaims(opened.body.access_token).session_id, key)
  const calls = inspectedCalls(app.withToken(opened.body.access_token), key, headers, inspect)
  return {
    key,
    id: opened.body.user.id,
    email,
    words: own,
    token: opened.body.access_token,
    calls,
    browsers: [],
    streams: [],
    mailedPaths: new Set(),
  }
}

/** Signs out of this device and in again. */
export async function signInAgain(
  { app, secrets, inspect }: { app: TestApp; secrets: Secrets; inspect: Inspect },
  who: ModelPerson,
): Promise<void> {
  const left = await who.calls.post('/auth/v1/logout?scope=local')
  assert.equal(left.status, 204, left.text)
  await closeStreams(who)
  const headers = { 'user-agent': newUniqueWord() }
  secrets.add('browser', headers['user-agent'], who.key)
  const visiting = inspectedCalls(app.visitor, who.key, headers, inspect)
  const back = await visiting.post('/auth/v1/token?grant_type=password', { email: who.email, password: PASSWORD })
  assert.equal(back.status, 200, back.text)
  secrets.add('session id', decodeClaims(back.body.access_token).session_id, who.key)
  who.token = back.body.access_token
  who.calls = inspectedCalls(app.withToken(who.token), who.key, headers, inspect)
}

export async function openLiveStream(app: TestApp, who: ModelPerson): Promise<void> {
  const openedAt = new Date().toISOString()
  const stream = await openStream(app.url, who.token)
  assert.equal(stream.status, 200)
  await stream.next(({ event }) => event === 'unread')
  who.streams.push({ ...stream, openedAt, inspected: 0 })
}

export async function closeStreams(who: ModelPerson): Promise<void> {
  await Promise.all(who.streams.splice(0).map((stream) => stream.close()))
}

/** Waits until a person's open streams have what the list of notifications has. */
export async function untilStreamed(who: ModelPerson): Promise<void> {
  if (who.streams.length === 0) return
  const { body } = await who.calls.get('/api/notifications?limit=1')
  const newest = body.items[0] as { id: string; created_at: string } | undefined
  await eventually(async () => {
    const late = who.streams.filter(
      ({ openedAt, raw }) => newest !== undefined && newest.created_at > openedAt && !raw().includes(newest.id),
    )
    return late.length === 0 ? true : undefined
  })
}

/** Returns the tokens of the links in an email. */
export const linkTokens = ({ parsed }: ReceivedMail): string[] =>
  [...(parsed.text ?? '').matchAll(/\/auth\/v1\/verify\?\S*?token=([\w-]{43})/g)].map(([, token]) => token!)

/** Returns an email as its recipient can read it: as it came, and decoded. */
export const mailAsRead = ({ raw, parsed }: ReceivedMail): string =>
  [raw, parsed.subject, parsed.text, parsed.html, JSON.stringify([...parsed.headers])].join('\n')
