import { setTimeout as delay } from 'node:timers/promises'
import { newId } from '../../server/src/db/ids.ts'
import { type ProxyMode, startDatabaseProxy } from '../../server/src/test/database-proxy.ts'
import { AWS_VARIABLES, startFakeS3 } from '../../server/src/test/fake-s3.ts'
import { signUpOverHttp } from '../../server/src/test/post-json.ts'
import { aim, type Figure, formatSpread, none, note, type Scenario } from '../figures.ts'
import { openDatabase, seedOwners, startDatabase, startMember } from '../installation.ts'
import { auditFigures, auditSends } from './audit.ts'
import { type Acknowledged, createUpload, postMessage } from './senders.ts'

const BUCKET = 'photos'
const OWNERS = 20_000
const CLIENTS_OF_A_KIND = 4
const THINK_MS = 100
const FAULT_MS = 30_000
/** A store that says nothing is given up after a minute, in which what is written is tried again. */
const SILENT_MS = 75_000
const PAUSE_BETWEEN_MS = 10_000
const WITHIN_S = 10
/** Longer than a server waits for a store that says nothing. */
const CLIENT_TIMEOUT_MS = 90_000

type Store = Awaited<ReturnType<typeof startFakeS3>>
type Path = Awaited<ReturnType<typeof startDatabaseProxy>>
type Kind = 'upload' | 'photo' | 'send' | 'dashboard'

/** What the store does for a while; the function that is returned ends it. */
const FAULTS: Record<string, (store: Store, path: Path) => Promise<() => Promise<void>>> = {
  away: (_, path) => setPath(path, 'refuse'),
  silent: (_, path) => setPath(path, 'freeze'),
  'closing connections': (_, path) => setPath(path, 'close'),
  async 'read-only'(store) {
    store.deniedMethod = 'PUT'
    return async () => {
      store.deniedMethod = undefined
    }
  },
  async overloaded(store) {
    store.failures = Infinity
    return async () => {
      store.failures = 0
    }
  },
}

async function setPath(path: Path, mode: ProxyMode) {
  await path.setMode(mode)
  return () => path.setMode('forward')
}

/** Counts what became of the requests of each kind, apart for those that met a fault. */
function createTally() {
  const tookMs = new Map<string, number[]>()
  const refusals = new Map<string, number>()
  const unclear = new Set<string>()
  const keyOf = (kind: Kind, isFault: boolean) => `${kind} ${isFault}`
  return {
    /** What was refused otherwise than with 503 and `Retry-After`. */
    unclear,
    served(kind: Kind, isFault: boolean, ms: number) {
      const key = keyOf(kind, isFault)
      tookMs.set(key, [...(tookMs.get(key) ?? []), ms])
    },
    refused(kind: Kind, isFault: boolean, response: Response | undefined) {
      const key = keyOf(kind, isFault)
      refusals.set(key, (refusals.get(key) ?? 0) + 1)
      if (response?.status !== 503 || !response.headers.has('retry-after'))
        unclear.add(`${kind}: ${response?.status ?? `no response within ${CLIENT_TIMEOUT_MS / 1000} s`}`)
    },
    servedMs: (kind: Kind, isFault: boolean) => tookMs.get(keyOf(kind, isFault)) ?? [],
    refusedCount: (kind: Kind, isFault: boolean) => refusals.get(keyOf(kind, isFault)) ?? 0,
  }
}

/** Starts clients that make requests of each kind through the processes in turn until they are stopped. */
async function startClients(urls: string[], nextPlate: () => string) {
  const token = await signUpOverHttp(urls[0]!, 'sender@example.com')
  const headers = { authorization: `Bearer ${token}` }
  const uploadPhoto = await createUpload(token)
  const tally = createTally()
  const acknowledged: Acknowledged = new Map()
  const photos: string[] = []
  let [isFault, isStopped] = [false, false]
  /** Makes a request and counts it. Returns the body if the status is what was asked for. */
  const call = async (
    kind: Kind,
    n: number,
    status: number,
    request: (url: string, signal: AbortSignal) => Promise<Response>,
  ): Promise<Buffer | undefined> => {
    const [began, startedAt] = [isFault, performance.now()]
    const signal = AbortSignal.timeout(CLIENT_TIMEOUT_MS)
    const response = await request(urls[n % urls.length]!, signal).catch(() => undefined)
    // a response that breaks off is none
    const bytes = await response?.arrayBuffer().catch(() => undefined)
    // one that began before a fault may end in it
    const metFault = began || isFault
    if (response?.status === status && bytes) {
      tally.served(kind, metFault, performance.now() - startedAt)
      return Buffer.from(bytes)
    }
    tally.refused(kind, metFault, bytes && response)
    return undefined
  }
  const parse = (body: Buffer) => JSON.parse(body.toString()) as { id: string; url: string }
  const upload = async (n: number): Promise<boolean> => {
    const stored = await call('upload', n, 201, uploadPhoto)
    if (stored) photos.push(new URL(parse(stored).url, urls[0]).pathname)
    return stored !== undefined
  }
  const readPhoto = async (n: number) => {
    const photo = photos[Math.floor(Math.random() * photos.length)]
    if (photo) await call('photo', n, 200, (url, signal) => fetch(url + photo, { signal }))
  }
  const send = async (n: number) => {
    const [key, body] = [newId(), JSON.stringify({ plate: nextPlate(), content: 'Your lights are on.' })]
    const sent = await call('send', n, 201, (url, signal) => postMessage(url, token, key, body, signal))
    if (sent) acknowledged.set(key, { id: parse(sent).id, at: performance.now() })
  }
  const readDashboard = (n: number) =>
    call('dashboard', n, 200, (url, signal) => fetch(`${url}/api/dashboard`, { headers, signal }))
  const repeat = async (request: (n: number) => Promise<unknown>, first: number) => {
    for (let n = first; !isStopped; n++) {
      await request(n)
      await delay(THINK_MS)
    }
  }
  const clients = [upload, readPhoto, send, readDashboard].flatMap((request) =>
    Array.from({ length: CLIENTS_OF_A_KIND }, (_, n) => repeat(request, n)),
  )
  return {
    tally,
    acknowledged,
    photos,
    upload,
    setFault(is: boolean) {
      isFault = is
    },
    async stop() {
      isStopped = true
      await Promise.all(clients)
    },
  }
}

export const bucketAway: Scenario = {
  title: 'The bucket of photos fails',
  description: `Two web processes and a worker, with photos in a store that checks signatures as S3 does. ${CLIENTS_OF_A_KIND} clients each upload photos, read them, send messages and read the dashboard. In each round the store is away, silent, closing connections, read-only and overloaded, for ${FAULT_MS / 1000} s each (silent for ${SILENT_MS / 1000}), with ${PAUSE_BETWEEN_MS / 1000} s in between. Nobody repeats a request.`,
  rounds: 1,
  async run(rounds, progress): Promise<Figure[]> {
    await using ended = new AsyncDisposableStack()
    const store = ended.adopt(await startFakeS3(), (one) => one.close())
    const { hostname, port } = new URL(store.endpoint)
    const path = ended.adopt(await startDatabaseProxy({ host: hostname, port: Number(port) }), (one) => one.close())
    const database = ended.use(await startDatabase())
    const env = {
      ...AWS_VARIABLES,
      ...database.env,
      STORAGE_URL: store.storageUrl(BUCKET).replace(`:${port}`, `:${path.connection.port}`),
    }
    const webs = [ended.use(await startMember('web', env)), ended.use(await startMember('web', env))]
    const members = [...webs, ended.use(await startMember('worker', env))]
    const db = ended.use(openDatabase(database.url))
    const nextPlate = await seedOwners(db, OWNERS)
    const urls = webs.map(({ url }) => url)
    const clients = await startClients(urls, nextPlate)
    const backMs: number[] = []
    let felt = 0
    const countRefused = () => clients.tally.refusedCount('upload', true)
    for (let round = 0; round < rounds; round++)
      for (const [name, begin] of Object.entries(FAULTS)) {
        await delay(PAUSE_BETWEEN_MS)
        clients.setFault(true)
        const refusedBefore = countRefused()
        const end = await begin(store, path)
        await delay(name === 'silent' ? SILENT_MS : FAULT_MS)
        if (countRefused() > refusedBefore) felt++
        await end()
        const endedAt = performance.now()
        while (!(await clients.upload(backMs.length)) && performance.now() - endedAt < 6 * WITHIN_S * 1000)
          await delay(THINK_MS)
        backMs.push(performance.now() - endedAt)
        clients.setFault(false)
        progress(`the store was ${name}; an upload is stored ${Math.round(backMs.at(-1)!)} ms after`)
      }
    await delay(PAUSE_BETWEEN_MS)
    await clients.stop()
    const { tally, photos, acknowledged } = clients
    let readable = 0
    for (const photo of photos) if ((await fetch(urls[0] + photo)).ok) readable++
    const audit = await auditSends(db, acknowledged, undefined, 0)
    const others = (['send', 'dashboard'] as const).map((kind) => ({
      refused: tally.refusedCount(kind, true) + tally.refusedCount(kind, false),
      without: tally.servedMs(kind, false),
      during: tally.servedMs(kind, true),
    }))
    const refusedOthers = others.reduce((sum, { refused }) => sum + refused, 0)
    const refusedWithout = tally.refusedCount('upload', false) + tally.refusedCount('photo', false)
    return [
      aim('faults in which uploads were refused', `${felt} of ${backMs.length}`, 'all', felt === backMs.length),
      note('uploads acknowledged', photos.length),
      none('acknowledged and not readable afterwards', photos.length - readable),
      note('uploads refused meanwhile', tally.refusedCount('upload', true)),
      note(
        'photos read, refused meanwhile',
        `${tally.servedMs('photo', true).length}, ${tally.refusedCount('photo', true)}`,
      ),
      aim(
        'refused in another way than with 503 and Retry-After',
        [...tally.unclear].join(', ') || 'none',
        'none',
        tally.unclear.size === 0,
      ),
      none('uploads and photos refused without a fault', refusedWithout),
      note(
        'sends and dashboards meanwhile',
        others.reduce((sum, { during }) => sum + during.length, 0),
      ),
      none('of all of these refused', refusedOthers),
      note('they took without a fault (p50 / p99)', formatSpread(others.flatMap(({ without }) => without))),
      note('and meanwhile', formatSpread(others.flatMap(({ during }) => during))),
      ...auditFigures(audit, { withMails: false }),
      aim(
        'longest until an upload was stored after a fault, without a hand',
        `${(Math.max(...backMs) / 1000).toFixed(1)} s`,
        `within ${WITHIN_S} s`,
        Math.max(...backMs) <= WITHIN_S * 1000,
      ),
      none('processes that ended', members.filter((member) => !member.isRunning()).length),
    ]
  },
}
