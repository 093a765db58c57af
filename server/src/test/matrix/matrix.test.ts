import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { localizedPath, paths } from '#contract/paths.ts'
import { LOCALES } from '#contract/product.ts'
import { openTransport } from '../../email/transport.ts'
import { startMailWorker } from '../../email/worker.ts'
import { createLogger } from '../../log/logger.ts'
import { MAIL_RENDERERS } from '../../mail-renderers.ts'
import { type TestApp, testApp } from '../app.ts'
import { temporaryFolder } from '../closing.ts'
import { eventually } from '../eventually.ts'
import { startFakePushService } from '../fake-push-service.ts'
import { runsAll } from '../runs-all.ts'
import { startSiblingServer } from '../sibling-server.ts'
import { type Cast, createCast, MALFORMED, MISSING } from './callers.ts'
import { rememberState } from './database-state.ts'
import { hostileRequests, MALFORMED_BYTES, type OpenApi, sendBytes } from './hostile.ts'
import { fillAddress, type MatrixRequest, REQUESTS } from './requests.ts'
import { recordRoutes } from './routes.ts'
import { CALLERS, type CallerName, RESPONSES, type Row, readRows } from './table.ts'

// Every route of the running router, called by every kind of caller with every kind of id: table.ts says what each gets. Then every
// text that a route takes is replaced by texts that have broken software before.

const ROWS = readRows()

/** Who makes every call of a row in `npm test`: one of those the audience lets in. */
const LET_IN: Record<string, CallerName> = { public: 'visitor', user: 'owner', auth: 'owner', admin: 'admin2' }

/** Who says that they are an admin. */
const CLAIMANTS: CallerName[] = ['demoted', 'forged']

/**
 * Returns those who make the calls of a row: in `npm test` also who gets something else than others of the audience, who once had
 * what somebody else has, and, with one kind of id, of those whom the door turns away, as it does before it looks at the id, one for each
 * answer and whoever claims to be an admin.
 */
const callersOf = ({ audience, id, responses, exceptions }: Row): CallerName[] =>
  CALLERS.filter(
    (name) =>
      runsAll ||
      name === LET_IN[audience] ||
      exceptions.includes(name) ||
      (id === 'other' && name === 'former') ||
      (audience !== 'public' &&
        (id === 'own' || id === '-') &&
        isRefusal(responses[name]) &&
        (CLAIMANTS.includes(name) || CALLERS.find((first) => responses[first] === responses[name]) === name)),
  )

const isRefusal = (cell: string) => RESPONSES[cell]!.status >= 400 || RESPONSES[cell]!.code !== undefined

/** Lists what is wrong with the rows for these routes: each needs its rows, and each row its route. */
function missingRows(routes: string[]): string[] {
  const labels = ROWS.map(({ label, id }) => `${label} ${id}`)
  const [served, withRow] = [new Set(routes), new Set(ROWS.map(({ route }) => route))]
  return [
    ...routes.filter((route) => !withRow.has(route)).map((route) => `${route} has no row`),
    ...[...withRow]
      .filter((route) => !served.has(route) && !route.includes(' * '))
      .map((route) => `${route} has a row and is not served`),
    ...labels.filter((label, i) => labels.indexOf(label) !== i).map((label) => `${label} has two rows`),
  ]
}

const PAGES = [
  '/404',
  '/fr/404',
  '/n/opened',
  '/fr/n/opened',
  '/n/gone',
  '/fr/n/gone',
  '/t',
  '/fr/t',
  '/t/one',
  '/fr/t/one',
].concat(
  LOCALES.flatMap((locale) =>
    Object.values(paths).map((path) =>
      localizedPath((path as (word?: string) => string)('received').split(/[?#]/)[0]!, locale),
    ),
  ).filter((path) => !path.includes('/unsubscribe')),
)

/** Writes a build of the web app: its pages, and one script. */
function writeBuild(root: string) {
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  for (const path of PAGES) write(join('client', path, 'index.html'), '<!doctype html><title>A page</title>')
  write('client/assets/app.js', 'console.log(1)')
  write('csp.json', '{}')
}

/**
 * Calls that are made by everybody at the same time, because they change nothing or are processed later. Not so those that
 * take a place of few (exports) or open the same link.
 */
const TOGETHER = /^(?:GET|HEAD|OPTIONS) (?!\/api\/export|\/auth\/v1\/verify)|^POST \/auth\/v1\/(?:otp|resend|recover)$/

type Reply = { status: number; code: string | undefined; text: string }

describe('who gets what', () => {
  let service: Awaited<ReturnType<typeof startFakePushService>>
  let app: TestApp
  let server: { url: string; close: () => Promise<void> } | undefined
  let routes: string[]
  let cast: Cast
  let state: Awaited<ReturnType<typeof rememberState>>
  const build = temporaryFolder('platenote-build-')
  const logged: string[] = []

  before(async () => {
    service = await startFakePushService()
    const secret = 'k'.repeat(40)
    // no jobs: whatever changes was changed by a request
    app = await testApp({
      settings: {
        ADMIN_SECOND_FACTOR: 'required',
        ROLE: 'web',
        PUSH_HOSTS: service.origin,
        INBOUND_ADDRESS: 'documents@in.platenote.test',
        INBOUND_MAIL_SECRET: `m${secret}`,
        SERVICE_KEY: secret,
      },
    })
    cast = await createCast(app, service)
    state = await rememberState(app.db)
    writeBuild(build)
    const config = { ...app.context.config, AUTH_AUTOCONFIRM: false }
    // images stay: restoring the tables does not bring files back
    const files = { ...app.context.files, remove: async () => {} }
    const log = createLogger('error', { write: (line) => void logged.push(line) })
    const recorded = await recordRoutes(() => startSiblingServer({ ...app.context, config, files, log }, build))
    server = recorded.built
    routes = recorded.routes
  })
  after(async () => {
    await server?.close() // absent when the preparation failed
    await service.close()
  })

  const request = ({ label, id }: Row, name: CallerName) => {
    const { own, other } = cast.callers[name]
    const thing = { own, other, missing: MISSING, malformed: MALFORMED, '-': own }[id]
    const [method = '', address = ''] = label.replace(' *', '').split(' ')
    return { method, path: fillAddress(address, thing), ...REQUESTS[label]?.(thing, { kind: id, own }) }
  }

  type Request = MatrixRequest & { method: string; path: string; headers?: Record<string, string> }
  const send = async (name: CallerName, { method, path, body, form, headers }: Request): Promise<Reply> => {
    const { token } = cast.callers[name]
    const response = await fetch(server!.url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(form && { body: form }),
    })
    const type = response.headers.get('content-type') ?? ''
    if (type.startsWith('text/event-stream')) {
      await response.body?.cancel()
      return { status: response.status, code: undefined, text: '' }
    }
    const text = await response.text()
    return { status: response.status, code: codeOf(response, text), text: text + JSON.stringify([...response.headers]) }
  }
  const call = (row: Row, name: CallerName) => send(name, request(row, name))

  /** Returns what differs from the table in a cell. */
  const differences = (row: Row, name: CallerName, { status, code, text }: Reply): string[] => {
    const cell = `${row.label}, ${row.id}, ${name}`
    const expected = RESPONSES[row.responses[name]]!
    const wrong =
      status === expected.status && code === expected.code
        ? []
        : [`${cell}: ${status} ${code ?? ''} instead of ${expected.status} ${expected.code ?? ''}`]
    const named = isRefusal(row.responses[name]) ? cast.marks.filter((mark) => text.includes(mark)) : []
    return [...wrong, ...named.map((mark) => `${cell}: the refusal names ${mark}`)]
  }

  /** Restores what was changed, once nothing that the requests queued is left to do. */
  const restore = async (): Promise<void> => {
    if ((await state.touched()).some(({ name }) => name.startsWith('auth.link_request')))
      await eventually(async () =>
        (await app.db`select from auth.link_request_queue limit 1`).length === 0 ? true : undefined,
      )
    await state.restore()
  }
  const restoreChanged = async (): Promise<string[]> => {
    const changed = await state.changed()
    await restore()
    return changed
  }

  /** Makes calls of a row at the same time. */
  const tryTogether = async (row: Row, names: CallerName[]): Promise<string[]> =>
    (await Promise.all(names.map(async (name) => differences(row, name, await call(row, name))))).flat()

  /** Makes the refused calls of a row, after which all tables must be as before. */
  const tryRefused = async (row: Row, names: CallerName[]): Promise<string[]> => {
    const found = await tryTogether(row, names)
    const changed = await restoreChanged()
    if (changed.length === 0) return found
    for (const name of names) {
      await call(row, name)
      const alone = await restoreChanged()
      if (alone.length > 0) found.push(`${row.label}, ${row.id}, ${name}: the refusal changes ${alone.join(', ')}`)
    }
    return found.length > 0 ? found : [`${row.label}, ${row.id}: refusals together change ${changed.join(', ')}`]
  }

  /** Makes the accepted calls of a row, each on the same state. */
  const tryAccepted = async (row: Row, names: CallerName[]): Promise<string[]> => {
    if (TOGETHER.test(row.label)) {
      const found = await tryTogether(row, names)
      await restore()
      return found
    }
    const found: string[] = []
    for (const name of names) {
      found.push(...(await tryTogether(row, [name])))
      await restore()
    }
    return found
  }

  test('every route of the running server has its rows in the table, and every row its route', () => {
    assert.deepEqual(missingRows(routes), [])
    assert.ok(routes.length > 100, `only ${routes.length} routes were recorded`)
  })

  test('every caller gets from every route what the table says, and a refusal changes no table', async () => {
    const wrong: string[] = []
    for (const row of ROWS) {
      const [refused, accepted] = [true, false].map((is) =>
        callersOf(row).filter((name) => isRefusal(row.responses[name]) === is),
      ) as [CallerName[], CallerName[]]
      if (refused.length > 0) wrong.push(...(await tryRefused(row, refused)))
      if (accepted.length > 0) wrong.push(...(await tryAccepted(row, accepted)))
    }
    assert.deepEqual(wrong, [])
  })

  test('no text in any field, address, query or header breaks anything, and no email of it is stuck', async () => {
    const openApi = (await app.visitor.get('/openapi.json')).body as OpenApi
    const worker = startMailWorker(app.context, MAIL_RENDERERS, openTransport(app.config, app.db))
    const broken: string[] = []
    const tried = ROWS.filter(
      ({ id, label, responses }) =>
        /own|-/.test(id) && !/^(?:HEAD|OPTIONS)| \* | \/fr\//.test(label) && responses.owner !== '405',
    )
    for (const row of tried) {
      const name = row.audience === 'admin' ? 'admin2' : 'owner'
      const { method, ...good } = request(row, name)
      const requests = [...hostileRequests(openApi, method, row.route.split(' ')[1]!, good)]
      const tryNext = async () => {
        for (let hostile = requests.pop(); hostile; hostile = requests.pop()) {
          const { status, text } = await send(name, { method, ...hostile })
          const isMute = status >= 400 && hostile.path.startsWith('/api/') && !text.includes('"error"')
          if (status >= 500 || isMute || logged.length > 0)
            broken.push(`${JSON.stringify(hostile).slice(0, 2_000)}: ${status} ${text} ${logged.splice(0).join('')}`)
        }
      }
      await Promise.all(Array.from({ length: 8 }, tryNext))
      worker.wake() // to what was restored too, which it would find within a second
      const waiting = () => app.db<{ last_error: string | null }[]>`
        select last_error from outbox where sent_at is null and failed_at is null and (run_at <= now() or attempts > 0)`
      const stuck = await eventually(async () => {
        const mails = await waiting()
        return mails.some(({ last_error }) => last_error === null) ? undefined : mails
      })
      for (const { last_error } of stuck) broken.push(`${row.label}: an email was not written: ${last_error}`)
      await restore()
    }
    await worker.stop()
    assert.deepEqual(broken, [])
  })

  test('bytes that lie about themselves get a refusal or nothing, and the server goes on', async () => {
    const port = Number(new URL(server!.url).port)
    for (const bytes of MALFORMED_BYTES) assert.match(await sendBytes(port, bytes), /^$|^HTTP\/1\.1 4/, bytes)
    assert.deepEqual(logged, [])
    assert.equal((await send('owner', { method: 'GET', path: '/api/dashboard' })).status, 200)
  })
})

/** Returns the code of a refusal: of its body, or of the fragment it redirects with. */
function codeOf({ status, headers }: Response, text: string): string | undefined {
  if (status >= 300 && status < 400) {
    return new URLSearchParams(headers.get('location')?.split('#')[1] ?? '').get('error_code') ?? undefined
  }
  if (status < 400) return undefined
  // also in the response to HEAD, which has no body
  const named = headers.get('x-sb-error-code')
  if (named || !headers.get('content-type')?.startsWith('application/json')) return named ?? undefined
  return (JSON.parse(text) as { code: string }).code
}
