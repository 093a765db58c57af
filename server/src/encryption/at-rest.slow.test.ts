import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { openPool, type Pool } from '../db/pool.ts'
import { findRunningEmbedded } from '../postgres/embedded-server.ts'
import { eventually } from '../test/eventually.ts'
import { runCommand, type ServerProcess, startProduct } from '../test/product.ts'
import { type SmtpInbox, startSmtpInbox } from '../test/smtp-inbox.ts'

// Runs the product and searches everything it leaves behind for what users wrote and photographed. A first test shows
// that the search finds texts that were put there in clear.

const PORT = 39_527
const URL = `http://127.0.0.1:${PORT}`
const PASSWORD = 'Correct-horse-7'
const TEXTS = {
  message: 'Zebra-crossing-7fQ3 your headlights are on',
  reply: 'Marmalade-8kT1 thank you, on my way',
  'reject reason': 'Periwinkle-2vX9 the papers name another plate',
  'contact message': 'Tangerine-4wB6 the page is blank',
  'name of a visitor': 'Quicksilver-9dL2 Roy',
  'address of a visitor': 'kingfisher-5hN8@example-visitor-3cJ7.test',
}

let dataDir: string
let inbox: SmtpInbox
const products: ServerProcess[] = []
/** Everything the product has written to its log, over all of its starts. */
const readLog = () => products.map((product) => product.err()).join('')
let db: Pool

let keys: Record<string, string> = {}

const env = () => ({
  DATA_DIR: dataDir,
  PORT: String(PORT),
  SMTP_URL: inbox.url,
  AUTH_AUTOCONFIRM: 'true',
  LOG_LEVEL: 'trace',
  ...keys,
})

async function start() {
  products.push(await startProduct(env()))
  db = openPool((await findRunningEmbedded(join(dataDir, 'postgres')))!, 2)
}

async function stop() {
  await db?.end()
  await products.at(-1)?.stop()
}

before(async () => {
  dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'platenote-at-rest-')))
  chmodSync(dataDir, 0o755) // as root PostgreSQL runs under another account and must pass
  inbox = await startSmtpInbox()
  await start()
})
after(async () => {
  await stop()
  await inbox?.close()
  rmSync(dataDir, { recursive: true, force: true })
})

async function call(method: string, path: string, token?: string, body?: object) {
  const form = body instanceof FormData
  const response = await fetch(URL + path, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && !form && { 'content-type': 'application/json' }),
    },
    ...(body && { body: form ? body : JSON.stringify(body) }),
  })
  assert.ok(response.ok, `${path} answered ${response.status}`)
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server answered
  return (await response.json()) as any
}

const signUp = async (email: string): Promise<string> =>
  (await call('POST', '/auth/v1/signup', undefined, { email, password: PASSWORD, data: { full_name: 'Sam Roy' } }))
    .access_token

/** Runs a command while the server is running. Returns what it printed. */
async function run(file: string, ...args: string[]): Promise<string> {
  const { code, out, err } = await runCommand(file, args, env())
  assert.equal(code, 0, out + err)
  return out
}

type Needle = { what: string; bytes: Buffer }

/** Returns the encodings a text may be stored in: as it is, UTF-16, hexadecimal, and Base64 at any offset. */
function encodingsOf(name: string, plain: Buffer, text: boolean): Needle[] {
  const needle = (form: string, bytes: Buffer): Needle => ({ what: `${name} in ${form}`, bytes })
  const inBase64 = [0, 1, 2].flatMap((shift) => {
    const padded = Buffer.concat([Buffer.alloc(shift), plain])
    // without the characters that depend on their neighbours
    const own = padded.toString('base64').slice(shift && 4, Math.floor(padded.length / 3) * 4)
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')].map((form) =>
      needle(`Base64, shifted by ${shift}`, Buffer.from(form)),
    )
  })
  const hex = plain.toString('hex')
  return [
    needle('bytes', plain),
    needle('hexadecimal', Buffer.from(hex)),
    needle('hexadecimal', Buffer.from(hex.toUpperCase())),
    ...inBase64,
    ...(text
      ? [
          needle('UTF-16LE', Buffer.from(plain.toString(), 'utf16le')),
          needle('UTF-16BE', Buffer.from(plain.toString(), 'utf16le').swap16()),
        ]
      : []),
  ]
}
/** Uses the first word of a text, which is there even if the text was cut. */
const encodingsOfText = (name: string, text: string) => encodingsOf(name, Buffer.from(text.split(' ')[0]!), true)

type Haystack = { where: string; bytes: Buffer }

/** Collects everything the product leaves behind: its database as rows, files and log, the images, and its own log. */
async function collectHaystacks(): Promise<Haystack[]> {
  await db`checkpoint`
  const stacks: Haystack[] = [{ where: 'the log', bytes: Buffer.from(readLog()) }]
  const tables = await db<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`
  for (const { name } of tables) {
    for (const row of await db.unsafe(`select t::text as whole, t.* from ${name} t`)) {
      for (const [column, value] of Object.entries(row)) {
        const bytes = Buffer.isBuffer(value)
          ? value
          : Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))
        stacks.push({ where: `the rows of ${name} (${column})`, bytes })
      }
    }
  }
  for (const entry of readdirSync(dataDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    try {
      stacks.push({ where: file.slice(dataDir.length), bytes: readFileSync(file) })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error // the database has deleted it meanwhile
    }
  }
  return stacks
}

const findNeedles = (needles: Needle[], stacks: Haystack[]) =>
  needles.flatMap(({ what, bytes }) =>
    stacks.filter((stack) => stack.bytes.includes(bytes)).map(({ where }) => `${what}: ${where}`),
  )

test('nothing users write or photograph is stored in clear: not in the database, its files and log, the images, or the logs', async (t) => {
  const [ownerMail, senderMail, adminMail] = ['owner@example.com', 'sender@example.com', 'admin@example.com']
  const [owner, sender, admin] = [await signUp(ownerMail), await signUp(senderMail), await signUp(adminMail)]
  await run('cli/admin.ts', 'grant', adminMail)
  const car = { make: 'Honda', model: 'Civic', registration_year: 2020, province: 'Ontario' }
  await call('POST', '/register-plate', owner, { ...car, plate: 'ATREST' })
  const other = await call('POST', '/register-plate', owner, { ...car, plate: 'REJECT' })

  const noise = { type: 'gaussian', mean: 120, sigma: 60 } as const
  const photo = await sharp({ create: { width: 400, height: 300, channels: 3, noise, background: '#000' } })
    .jpeg()
    .toBuffer()
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(photo)], { type: 'image/jpeg' }), 'photo.jpg')
  const image = await call('POST', '/api/attachments', sender, form)
  const { id } = await call('POST', '/api/messages', sender, {
    plate: 'ATREST',
    content: TEXTS.message,
    attachment_id: image.id,
  })
  await call('POST', `/api/messages/${id}/reply`, owner, { reply: TEXTS.reply })
  await call('POST', `/api/admin/vehicles/${other.vehicle.id}/reject`, admin, { reason: TEXTS['reject reason'] })

  await call('POST', '/send-email', undefined, {
    type: 'contact',
    name: TEXTS['name of a visitor'],
    email: TEXTS['address of a visitor'],
    subject: 'technical-support',
    message: TEXTS['contact message'],
  })

  // users can read all of it, in the product and in their emails
  const message = await call('GET', `/api/messages/${id}`, owner)
  assert.deepEqual([message.content, message.reply], [TEXTS.message, TEXTS.reply])
  const stored = Buffer.from(await (await fetch(URL + image.url)).arrayBuffer())
  assert.equal((await sharp(stored).metadata()).width, 400)
  const addresses = [senderMail, 'support@platenote.ca']
  const mails = [...(await inbox.to(ownerMail, 2)), ...(await Promise.all(addresses.map((to) => inbox.to(to)))).flat()]
  for (const text of Object.values(TEXTS))
    assert.ok(
      mails.some(({ parsed }) => parsed.text?.includes(text)),
      text,
    )

  const pieces = (name: string, bytes: Buffer) =>
    [0.3, 0.5, 0.8].flatMap((part) => {
      const start = Math.floor(bytes.length * part)
      return encodingsOf(name, bytes.subarray(start, start + 24), false)
    })
  const needles = [
    ...Object.entries(TEXTS).flatMap(([name, text]) => encodingsOfText(`the ${name}`, text)),
    ...pieces('the photo', photo),
    ...pieces('the stored image', stored),
    ...encodingsOf('the master key', Buffer.from(readFileSync(join(dataDir, 'master.key'), 'utf8'), 'base64'), false),
  ]

  await t.test('the search finds plain text in every encoding and location', async () => {
    const plain = 'Control-5pW8'
    const forms = encodingsOfText('a control text', plain)
    await db`create table control (form text, bytes bytea)`
    for (const { what, bytes } of forms) await db`insert into control values (${what}, ${bytes})`
    writeFileSync(join(dataDir, 'attachments', 'control.webp'), plain)
    await fetch(`${URL}/${plain}`) // the path of a page that is not there is logged
    await eventually(async () => readLog().includes(plain) || undefined)
    const stacks = await collectHaystacks()
    for (const one of forms) {
      const places = findNeedles([one], stacks)
      assert.ok(
        places.some((place) => place.includes('the rows of public.control')),
        one.what,
      )
      assert.ok(
        places.some((place) => /\/base\/\d+\/\d+$/.test(place)),
        `${one.what}, in the files of the database`,
      )
      assert.ok(
        places.some((place) => /\/pg_wal\/[0-9A-F]{24}$/.test(place)),
        `${one.what}, in the log of the database`,
      )
    }
    const inClear = findNeedles(forms.slice(0, 1), stacks)
    for (const place of [/the log$/, /\/attachments\/control\.webp$/]) {
      assert.ok(
        inClear.some((where) => place.test(where)),
        String(place),
      )
    }
  })

  const stacks = await collectHaystacks()
  for (const part of [/messages \(content_encrypted\)/, /audit_log/, /outbox/, /pg_wal/, /attachments\/.*\.webp/]) {
    assert.ok(
      stacks.some(({ where, bytes }) => part.test(where) && bytes.length > 0),
      `${part} was not searched`,
    )
  }
  const outside = stacks.filter(({ where }) => where !== '/master.key')
  assert.deepEqual(findNeedles(needles, outside), [])

  await t.test('not even after the key was changed while the server was running', async () => {
    await stop()
    const former = readFileSync(join(dataDir, 'master.key'), 'utf8')
    keys = { MASTER_KEYS_OLD: former }
    writeFileSync(join(dataDir, 'master.key'), randomBytes(32).toString('base64'))
    await start()
    assert.match(await run('cli/rotate-keys.ts'), /seals nothing any more: take it out of MASTER_KEYS_OLD/)
    assert.equal((await call('GET', `/api/messages/${id}`, owner)).content, TEXTS.message)
    await stop()
    keys = {}
    await start()
    assert.equal((await call('GET', `/api/messages/${id}`, owner)).reply, TEXTS.reply)
    assert.equal((await fetch(URL + image.url)).status, 200)
    assert.deepEqual(findNeedles(needles, await collectHaystacks()), [])
  })
})
