import { setTimeout as delay } from 'node:timers/promises'
import { newId } from '../../server/src/db/ids.ts'
import type { Pool } from '../../server/src/db/pool.ts'
import { SECOND_MS } from '../../server/src/time.ts'
import { aim, formatMs, formatSpread, note, quantile, type Scenario } from '../figures.ts'
import { createClient, openDatabase, seedOwners, startDatabase, startMember } from '../installation.ts'
import { encodeRequest, runLoad } from '../load-generator.ts'
import { type OpenLoopResult, runOpenLoop } from '../open-loop.ts'

const OWNERS = 20_000
/** So many that hardly two of those served at a time are one person, who would take turns with themselves. */
const PEOPLE = 1_000
const SIGN_UPS_AT_A_TIME = 4
const PEAK_CONNECTIONS = 64
const WARM_UP_S = 3
const PHASE_S = 8
const OVERLOAD = 3
const MIN_GOODPUT = 0.9
const REFUSED_WITHIN_MS = 100
/** Until then it looks like a burst, in which everybody waits. */
const LASTING_AFTER_MS = SECOND_MS
const NORMAL_LOAD = 0.5
const NORMAL_AFTER_S = 10
/** The aim is for what is below the last. */
const STALLED_LOADS = [0.5, 0.6, 0.65, 0.7]
const STALL_MS = 2_000
const MAX_CONNECTIONS = 6_000
/** An answer later than this helps nobody any more. */
const USEFUL_MS = 1_000

export const overload: Scenario = {
  title: 'Three times what a process can do',
  description: `One web process; half of the requests are sends, half read the dashboard, of ${PEOPLE} people. After a warm-up of both kinds, first as many as it can do in a closed loop of ${PEAK_CONNECTIONS} connections (the peak), then ${OVERLOAD} times as many at an even pace whether or not they are answered, over at most ${MAX_CONNECTIONS} connections, then half the peak for ${NORMAL_AFTER_S} s, then ${STALLED_LOADS.map((load) => `${load * 100} %`).join(', ')} of it, during each of which the database stands still for ${STALL_MS / 1000} s. What is answered within ${USEFUL_MS / 1000} s of the moment it was due is good; an aim is for the median of the rounds. Server, database and the harness share the machine's processors.`,
  rounds: 1,
  async run(rounds, progress) {
    await using database = await startDatabase()
    await using web = await startMember('web', database.env)
    await using db = openDatabase(database.url)
    const nextPlate = await seedOwners(db, OWNERS)
    const { signUp } = createClient(web)
    const tokens: string[] = []
    while (tokens.length < PEOPLE) {
      const names = Array.from({ length: SIGN_UPS_AT_A_TIME }, (_, i) => `person${tokens.length + i}`)
      tokens.push(...(await Promise.all(names.map(signUp))).map(({ token }) => token))
    }
    const request = makeRequests(tokens, nextPlate)
    const closed = (seconds: number) => runLoad({ port: web.port, connections: PEAK_CONNECTIONS, seconds, request })
    const open = (perSecond: number, seconds: number) =>
      runOpenLoop({ port: web.port, perSecond, seconds, maxConnections: MAX_CONNECTIONS, request })
    // warm up, refusals too: code that runs for the first time is slow
    const warm = await closed(WARM_UP_S)
    await open(warm.perSecond * OVERLOAD, WARM_UP_S)
    const peaks: number[] = []
    const over: OpenLoopResult[] = []
    const normal: OpenLoopResult[] = []
    const stalled: { load: number; result: OpenLoopResult }[] = []
    for (let round = 0; round < rounds; round++) {
      const { perSecond: peak } = await closed(PHASE_S)
      peaks.push(peak)
      progress(`the peak is ${Math.round(peak)} a second`)
      over.push(await open(peak * OVERLOAD, PHASE_S))
      normal.push(await open(peak * NORMAL_LOAD, NORMAL_AFTER_S))
      for (const load of STALLED_LOADS) {
        const stall = stallDatabase(db)
        stalled.push({ load, result: await open(peak * load, PHASE_S) })
        await stall
      }
    }
    const good = (result: OpenLoopResult) => result.servedMs.filter((ms) => ms <= USEFUL_MS).length
    const goodputs = over.map((result, i) => good(result) / result.seconds / peaks[i]!)
    const refusedMs = (result: OpenLoopResult, afterMs = 0) =>
      result.refused.filter(({ dueMs }) => dueMs > afterMs).map(({ tookMs }) => tookMs)
    const allRefusedMs = over.flatMap((result) => refusedMs(result))
    const lastingMs = over.flatMap((result) => refusedMs(result, LASTING_AFTER_MS))
    const servedMs = over.flatMap((result) => result.servedMs)
    const failures = (results: OpenLoopResult[]) =>
      results.flatMap(({ failed }) => [...failed].map(([what, n]) => `${n} × ${what}`)).join(', ') || 'none'
    const goodput = quantile(goodputs)
    const servedAfter = normal.map((result) => good(result) / result.offered)
    const refusedP99s = over.map((result) => Math.round(quantile(refusedMs(result, LASTING_AFTER_MS), 0.99)))
    const isRefusedInTime =
      over.every(({ refused }) => refused.length > 0) && quantile(refusedP99s) <= REFUSED_WITHIN_MS
    const percent = (part: number, digits: number) => `${(part * 100).toFixed(digits)} %`
    const ofNeither = failures([...over, ...normal, ...stalled.map(({ result }) => result)])
    const highest = STALLED_LOADS.at(-1)!
    const below = stalled.filter(({ load }) => load < highest)
    const sumRefused = (of: typeof stalled) => of.reduce((sum, { result }) => sum + result.refused.length, 0)
    return [
      note(
        'peak, requests a second (lowest round)',
        `${Math.round(quantile(peaks))} (${Math.round(Math.min(...peaks))})`,
      ),
      note('offered, requests a second', Math.round(quantile(over.map(({ offered, seconds }) => offered / seconds)))),
      aim(
        'good answers, part of the peak (worst round)',
        `${percent(goodput, 1)} (${percent(Math.min(...goodputs), 1)})`,
        'at least 90 %',
        goodput >= MIN_GOODPUT,
      ),
      note('good answers took (p50 / p99)', formatSpread(servedMs)),
      note('refused with 503 or 429', allRefusedMs.length),
      note('refusals took (p50 / p99)', formatSpread(allRefusedMs)),
      note(`of those after the first ${LASTING_AFTER_MS / SECOND_MS} s, p50`, formatMs(lastingMs)),
      aim(
        'of those, p99 (worst round)',
        `${quantile(refusedP99s)} ms (${Math.max(...refusedP99s)} ms)`,
        'some in every round, within 100 ms',
        isRefusedInTime,
      ),
      note(
        'in all of which the harness itself was late by (p99)',
        `${Math.round(Math.max(...over.map((r) => r.ownLagMs)))} ms`,
      ),
      aim('neither served nor refused, also afterwards', ofNeither, 'none', ofNeither === 'none'),
      aim(
        'in the 10 s after, served of half the peak (worst round)',
        `${percent(quantile(servedAfter), 2)} (${percent(Math.min(...servedAfter), 2)})`,
        'at least 99.9 %',
        quantile(servedAfter) >= 0.999,
      ),
      note('they took (p50 / p99)', formatSpread(normal.flatMap((result) => result.servedMs))),
      aim(
        `refused around ${below.length} stalls of the database below ${highest * 100} % of the peak`,
        sumRefused(below),
        'none',
        sumRefused(below) === 0,
      ),
      note(`around those at ${highest * 100} %`, sumRefused(stalled.filter(({ load }) => load === highest))),
      note('the others took (p50 / p99)', formatSpread(stalled.flatMap(({ result }) => result.servedMs))),
    ]
  },
}

/** Stops the processes of the database's connections where they stand, a second from now, for a while. */
async function stallDatabase(db: Pool): Promise<void> {
  const backends = await db<{ pid: number }[]>`select pid from pg_stat_activity where backend_type = 'client backend'`
  await delay(SECOND_MS)
  for (const { pid } of backends) process.kill(pid, 'SIGSTOP')
  await delay(STALL_MS)
  for (const { pid } of backends) process.kill(pid, 'SIGCONT')
}

/** Returns a source of requests, two of which are reads and two sends under a key of their own, in turn. */
function makeRequests(tokens: string[], nextPlate: () => string): () => Buffer {
  let n = 0
  return () => {
    const token = tokens[n % tokens.length]!
    if (Math.floor(n++ / 2) % 2 === 0) return encodeRequest('GET', '/api/dashboard', token)
    const message = { plate: nextPlate(), content: 'Your lights are on.', reason: 'lights_on' }
    return encodeRequest('POST', '/api/messages', token, message, newId())
  }
}
