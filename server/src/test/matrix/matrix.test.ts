import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { localizedPath, paths } from '#contract/paths.ts'
import { LOCALES } from '#contract/product.ts'
import { type TestApp, testApp } from '../app.ts'
import { eventually } from '../eventually.ts'
import { startFakePushService } from '../fake-push-service.ts'
import { startSiblingServer } from '../sibling-server.ts'
import { writeWebBuild } from '../web-build.ts'
import { type Cast, createCast, MALFORMED, MISSING } from './callers.ts'
import { prepareDatabaseState } from './database-state.ts'
import { fillAddress, REQUESTS } from './requests.ts'
import { recordRoutes } from './routes.ts'
import { CALLERS, type CallerName, type IdKind, RESPONSES, TABLE } from './table.ts'

// Every route of the running router, called by every kind of caller with every kind of id: table.ts says what each gets.

/** One cell: what a caller gets from a way to call a route. */
type Row = { label: string; route: string; id: IdKind; responses: Record<CallerName, string> }

const ID_KINDS: IdKind[] = ['own', 'other', 'missing', 'malformed']

/** Writes out what stands in braces: `{a,b}c` is `ac` and `bc`. */
function expand(text: string): string[] {
  const found = /\{([^{}]*)\}/.exec(text)
  if (!found) return [text]
  const [whole, inner] = found as unknown as [string, string]
  return inner
    .split(',')
    .flatMap((choice) => expand(text.slice(0, found.index) + choice + text.slice(found.index + whole.length)))
}

/** Reads the table. Throws where it is not complete or not readable. */
function readRows(): Row[] {
  const [head, ...lines] = TABLE.split('\n').filter((line) => line.trim() !== '')
  const columns = head!.split(/\s+/).slice(2)
  if (columns.join() !== CALLERS.join()) throw new Error(`the columns are ${CALLERS.join(' ')}`)
  return lines.flatMap((line) => {
    const [, labels = '', id = '', rest = ''] = /^(\S+ .*?) +(own|other|missing|malformed|-) +(.+)$/.exec(line) ?? []
    const cells = rest.trim().split(/\s+/)
    const unknown = cells.filter((cell) => !(cell in RESPONSES))
    if (labels === '' || unknown.length > 0 || (cells.length !== 1 && cells.length !== CALLERS.length)) {
      throw new Error(`this line cannot be read: ${line} ${unknown.join()}`)
    }
    const responses = Object.fromEntries(
      CALLERS.map((name, i) => [name, cells.length === 1 ? cells[0]! : cells[i]!]),
    ) as Row['responses']
    return expand(labels).map((label) => ({
      label,
      route: label.replace(/ \(.*\)$/, ''),
      id: id as IdKind,
      responses,
    }))
  })
}

/** Lists what is wrong with the rows for these routes: each needs one row without an id, or one for each kind of id. */
function missingRows(routes: string[], rows: Row[]): string[] {
  const kindsByLabel = Map.groupBy(rows, ({ label }) => label)
  const served = new Set(routes)
  const withRow = new Set(rows.map(({ route }) => route))
  return [
    ...routes.filter((route) => !withRow.has(route)).map((route) => `${route} has no row`),
    ...[...withRow]
      .filter((route) => !served.has(route) && !route.includes(' * '))
      .map((route) => `${route} has a row and is not served`),
    ...[...kindsByLabel].flatMap(([label, found]) => {
      const kinds = found.map(({ id }) => id)
      const wanted = kinds.includes('-') ? ['-'] : ID_KINDS
      return kinds.toSorted().join() === wanted.toSorted().join() ? [] : [`${label} has rows for ${kinds.join(', ')}`]
    }),
  ]
}

const ROWS = readRows()
const pages = LOCALES.flatMap((locale) =>
  Object.values(paths).map((path) =>
    localizedPath((path as (word?: string) => string)('received').split(/[?#]/)[0]!, locale),
  ),
).filter((path) => !path.includes('/unsubscribe'))

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
  let state: Awaited<ReturnType<typeof prepareDatabaseState>>
  const build = writeWebBuild(pages)

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
        SERVICE_ROLE_KEY: `r${secret}`,
      },
    })
    cast = await createCast(app, service)
    state = await prepareDatabaseState(app.db)
    await state.remember()
    const config = { ...app.context.config, AUTH_AUTOCONFIRM: false }
    // images stay: restoring the tables does not bring files back
    const files = { ...app.context.files, remove: async () => {} }
    const recorded = await recordRoutes(() => startSiblingServer({ ...app.context, config, files }, build.root))
    server = recorded.built
    routes = recorded.routes
  })
  after(async () => {
    await server?.close() // absent when the preparation failed
    await app.close()
    await service.close()
    build.remove()
  })

  const call = async ({ label, id }: Row, name: CallerName): Promise<Reply> => {
    const { token, own, other } = cast.callers[name]
    const thing = { own, other, missing: MISSING, malformed: MALFORMED, '-': own }[id]
    const [method = '', address = ''] = label.replace(' *', '').split(' ')
    const { path = fillAddress(address, thing), body, form } = REQUESTS[label]?.(thing, { kind: id, own }) ?? {}
    const response = await fetch(server!.url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
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

  const isRefusal = (cell: string) => RESPONSES[cell]!.status >= 400 || RESPONSES[cell]!.code !== undefined

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

  /** Restores what was changed, once nothing that the requests queued is left to do. Returns which tables were. */
  const restore = async (): Promise<string[]> => {
    const changed = await state.changedTables()
    if (changed.length === 0) return changed
    if (changed.some((table) => table.startsWith('auth.link_request'))) await untilQueueIsEmpty()
    await state.restore(await state.changedTables())
    return changed
  }
  const untilQueueIsEmpty = () =>
    eventually(async () => {
      const [waiting] = await app.db`select from auth.link_request_queue limit 1`
      return waiting ? undefined : true
    })

  /** Makes calls of a row at the same time. */
  const tryTogether = async (row: Row, names: CallerName[]): Promise<string[]> =>
    (await Promise.all(names.map(async (name) => differences(row, name, await call(row, name))))).flat()

  /** Makes the refused calls of a row, after which all tables must be as before. */
  const tryRefused = async (row: Row, names: CallerName[]): Promise<string[]> => {
    const found = await tryTogether(row, names)
    const changed = await restore()
    if (changed.length === 0) return found
    for (const name of names) {
      await call(row, name)
      const alone = await restore()
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
    assert.deepEqual(missingRows(routes, ROWS), [])
    assert.ok(routes.length > 100, `only ${routes.length} routes were recorded`)
  })

  test('every caller gets from every route what the table says, and a refusal changes no table', async () => {
    const wrong: string[] = []
    for (const row of ROWS) {
      const refused = CALLERS.filter((name) => isRefusal(row.responses[name]))
      if (refused.length > 0) wrong.push(...(await tryRefused(row, refused)))
      const accepted = CALLERS.filter((name) => !refused.includes(name))
      if (accepted.length > 0) wrong.push(...(await tryAccepted(row, accepted)))
    }
    assert.deepEqual(wrong, [])
    assert.deepEqual(await state.changedOfAllTables(), [])
  })

  test('every page is the same for everybody, byte for byte', async () => {
    for (const path of new Set(pages)) {
      const served = await Promise.all(
        CALLERS.map(async (name) => {
          const { token } = cast.callers[name]
          const response = await fetch(server!.url + path, {
            headers: { ...(token && { authorization: `Bearer ${token}` }) },
          })
          return `${response.status} ${await response.text()}`
        }),
      )
      assert.deepEqual([...new Set(served)], [`200 ${build.page(path)}`], path)
    }
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
