import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LANGUAGE_TAGS, type Locale } from '#contract/product.ts'
import { TERMS_VERSION } from '#contract/terms.ts'
import { loadConfig } from '../../config.ts'
import { openDatabase } from '../../db/open-database.ts'
import { startServer } from '../../start.ts'
import { accepted, type Caller, createCaller, type Person } from '../app.ts'
import { extractAuthLink, extractCode, type LinkResult, toLinkResult } from '../auth-links.ts'
import { createTestDatabase } from '../database.ts'
import { eventually } from '../eventually.ts'
import { currentCode } from '../factors.ts'
import { runCommand } from '../product.ts'
import { startSmtpInbox } from '../smtp-inbox.ts'

// A walk through the specification: the product as an operator starts it, with default settings and the real limits, and people
// who signed up a moment ago with the link in their email. Nothing is written by SQL and no clock is moved.

export const ORIGIN = 'https://platenote.example'
export const SUPPORT = 'team@platenote.example'
export const SERVICE_KEY = 'a-service-key-of-more-than-32-characters'
/** One that production accepts. */
export const PASSWORD = 'Zebra-crossing-41'
export const NEXT_PASSWORD = 'Quiet-harbour-52'

type Client = { 'x-forwarded-for': string; 'accept-language': string }

/** Somebody who signed up, from an address of their own and in their language, which all their calls tell. */
export type Walker = Person & { fullName: string; client: Client }

/** An email as its reader sees it. */
type ReadMail = { subject: string; text: string; html: string }

export type Walk = Awaited<ReturnType<typeof startWalk>>

const random = (bytes: number) => randomBytes(bytes).toString('base64')

/** Starts the product with what production has to set, with the key of other software, and behind a proxy that names the clients. */
export async function startWalk() {
  /** How many emails the mail server of an address has refused. */
  const refusals = new Map<string, number>()
  const inbox = await startSmtpInbox({
    recipient(address) {
      const count = refusals.get(address)
      if (count === undefined) return undefined
      refusals.set(address, count + 1)
      return 550
    },
  })
  const database = await createTestDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'platenote-walk-'))
  const settings = {
    NODE_ENV: 'production',
    PUBLIC_URL: ORIGIN,
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    MASTER_KEY: random(32),
    JWT_SECRET: random(32),
    SERVICE_KEY,
    SMTP_URL: inbox.url,
    MAIL_FROM: 'PlateNote <notes@platenote.example>',
    MAIL_SENDER_NAME: 'PlateNote Example Inc.',
    MAIL_POSTAL_ADDRESS: '1 Main Street, Ottawa ON',
    SUPPORT_EMAIL: SUPPORT,
    PRIVACY_OFFICER: 'Kim Roy',
    TRUST_PROXY: 'loopback',
    LOG_LEVEL: 'silent',
  }
  const config = loadConfig(settings)
  const { db, close } = await openDatabase(config)
  const { url, stop } = await startServer(config, db)

  let callers = 0
  const newClient = (locale: Locale = 'en'): Client => ({
    'x-forwarded-for': `203.0.113.${++callers}`,
    'accept-language': LANGUAGE_TAGS[locale],
  })

  const mails = (to: string): ReadMail[] =>
    inbox.received
      .filter((mail) => mail.to === to)
      .map(({ parsed }) => ({ subject: parsed.subject ?? '', text: parsed.text ?? '', html: parsed.html || '' }))

  const walk = {
    url,
    /** Returns a visitor, from an address of their own. */
    visitor: (locale?: Locale): Caller => createCaller(url, undefined, newClient(locale)),
    /** Returns the calls of other software, which has this token. */
    withToken: (token: string): Caller => createCaller(url, token, newClient()),
    /** Returns the emails that have come to an address. */
    mails,
    /** Resolves with the first email to an address whose subject matches. */
    mail: (to: string, subject: RegExp): Promise<ReadMail> =>
      eventually(async () => mails(to).find((mail) => subject.test(mail.subject))),
    /** Lets the mail server of an address refuse every email from now on. */
    refuseMailsTo: (address: string) => void refusals.set(address, 0),
    /** Resolves once an email to that address was refused. */
    refusedMailTo: (address: string) => eventually(async () => refusals.get(address) || undefined),
    /** Opens a link as a browser does. */
    async open(link: URL, browser: Caller = walk.visitor()): Promise<LinkResult> {
      assert.equal(link.origin, ORIGIN)
      return toLinkResult(await browser.get(link.pathname + link.search))
    },
    /** Signs somebody up as the sign-up page does, and confirms the address by the link in the email, which opens a session. */
    async person({
      locale = 'en',
      fullName = 'Alex Tremblay',
    }: {
      locale?: Locale
      fullName?: string
    } = {}): Promise<Walker> {
      const client = newClient(locale)
      const email = `walker-${callers}@example.com`
      const visitor = createCaller(url, undefined, client)
      const { data, secret } = signUpData(fullName, locale)
      const signedUp = await visitor.post('/auth/v1/signup', { email, password: PASSWORD, data })
      assert.equal(signedUp.status, 200, signedUp.text)
      const { fragment } = await walk.open(extractAuthLink(await walk.mail(email, /./)), visitor)
      const { access_token: token = '', refresh_token: refreshToken = '' } = fragment
      const calls = createCaller(url, token, client)
      await keepPassword(calls, secret)
      const { id } = (await calls.get('/auth/v1/user')).body
      return { ...calls, id, token, refreshToken, email, password: PASSWORD, fullName, client }
    },
    /**
     * Makes somebody an admin by the command on the server, who signs in with a code from their mailbox, and with the second factor that
     * production asks for.
     */
    async admin(): Promise<Walker> {
      const someone = await walk.person({ fullName: 'Admin Roy' })
      const { email, client } = someone
      const granted = await runCommand('admin', ['grant', email], settings)
      assert.equal(granted.code, 0, granted.err)
      const visitor = createCaller(url, undefined, client)
      await visitor.post('/auth/v1/otp', { email, create_user: false })
      // the first is of the sign-up
      const mail = await eventually(async () => mails(email).filter(({ subject }) => /^\d{6} is your/.test(subject))[1])
      const opened = await visitor.post('/auth/v1/verify', { type: 'email', email, token: extractCode(mail) })
      assert.equal(opened.status, 200, opened.text)
      const person = { ...someone, ...createCaller(url, opened.body.access_token, client) }
      const { body: factor } = await person.post('/auth/v1/factors', { factor_type: 'totp', friendly_name: 'Phone' })
      const { body: challenge } = await person.post(`/auth/v1/factors/${factor.id}/challenge`)
      const answer = { challenge_id: challenge.id, code: currentCode(factor.totp.secret) }
      const body = await accepted(person.post(`/auth/v1/factors/${factor.id}/verify`, answer))
      return { ...person, ...createCaller(url, body.access_token, person.client), token: body.access_token }
    },
    async close() {
      await stop()
      await close()
      await database.drop()
      await inbox.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
  return walk
}

/** Returns what the sign-up page sends besides address and password, and the secret that only this browser has. */
export function signUpData(fullName: string, locale: Locale) {
  const secret = randomBytes(32).toString('base64url')
  const signup_proof = createHash('sha256').update(secret).digest('hex')
  return { secret, data: { full_name: fullName, locale, terms_version: TERMS_VERSION, age_ok: true, signup_proof } }
}

/** Keeps the password of the sign-up, as the page of its link does in the browser that signed up. */
export async function keepPassword(landed: Caller, secret: string): Promise<void> {
  await accepted(landed.post('/auth/v1/signup/password', { secret }))
}
