import { newId } from '../../server/src/db/ids.ts'
import { startEmbeddedForBench } from '../embedded-postgres.ts'
import { aim, note, quantile, type Scenario } from '../figures.ts'
import { createClient } from '../http-client.ts'
import { runLoad } from '../load-generator.ts'
import { encodeRequest, median, startForBench } from '../product.ts'
import { openForHarness, seedOwners } from './installation.ts'
import { type OpenLoopResult, runOpenLoop } from './open-loop.ts'

const PORT = 39_431
const TARGET = { host: '127.0.0.1', port: PORT }
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
const NORMAL_LOAD = 0.5
const NORMAL_AFTER_S = 10
const MAX_CONNECTIONS = 4_000
/** An answer later than this helps nobody any more. */
const USEFUL_MS = 1_000

export const overload: Scenario = {
  title: 'Three times what a process can do',
  description: `One web process; half of the requests are sends, half read the dashboard, of ${PEOPLE} people. After a warm-up of both kinds, first as many as it can do in a closed loop of ${PEAK_CONNECTIONS} connections (the peak), then ${OVERLOAD} times as many at an even pace whether or not they are answered, over at most ${MAX_CONNECTIONS} connections, then half the peak for ${NORMAL_AFTER_S} s. What is answered within ${USEFUL_MS / 1000} s of the moment it was due is good; an aim is for the median of the rounds. Server, database and the harness share the machine's processors.`,
  rounds: 1,
  async run(rounds, progress) {
    const database = await startEmbeddedForBench()
    const product = await startForBench({ url: database.url, dataDir: database.dataDir, port: PORT, role: 'web' })
    const db = openForHarness(database.url)
    try {
      const nextPlate = await seedOwners(db, OWNERS)
      const { signUp } = createClient(PORT)
      const tokens: string[] = []
      while (tokens.length < PEOPLE) {
        const names = Array.from({ length: SIGN_UPS_AT_A_TIME }, (_, i) => `person${tokens.length + i}`)
        tokens.push(...(await Promise.all(names.map(signUp))).map(({ token }) => token))
      }
      const request = makeRequests(tokens, nextPlate)
      const isServed = (status: number) => status === 200 || status === 201
      // warm up, refusals too: code that runs for the first time is slow
      const warm = await runLoad(TARGET, PEAK_CONNECTIONS, WARM_UP_S, request.any, isServed)
      const warmUp = { perSecond: (warm.requests / warm.seconds) * OVERLOAD, seconds: WARM_UP_S }
      await runOpenLoop(PORT, { ...warmUp, maxConnections: MAX_CONNECTIONS }, request.any, isServed)
      const peaks: number[] = []
      const over: OpenLoopResult[] = []
      const normal: OpenLoopResult[] = []
      for (let round = 0; round < rounds; round++) {
        const peak = await measurePeak(request.any, isServed)
        peaks.push(peak)
        progress(`the peak is ${Math.round(peak)} a second`)
        const burden = { perSecond: peak * OVERLOAD, seconds: PHASE_S, maxConnections: MAX_CONNECTIONS }
        over.push(await runOpenLoop(PORT, burden, request.any, isServed))
        const usual = { perSecond: peak * NORMAL_LOAD, seconds: NORMAL_AFTER_S, maxConnections: MAX_CONNECTIONS }
        normal.push(await runOpenLoop(PORT, usual, request.any, isServed))
      }
      const good = (result: OpenLoopResult) => result.servedMs.filter((ms) => ms <= USEFUL_MS).length
      const goodputs = over.map((result, i) => good(result) / result.seconds / peaks[i]!)
      const refusedMs = over.flatMap((result) => result.refusedMs)
      const servedMs = over.flatMap((result) => result.servedMs)
      const failures = (results: OpenLoopResult[]) =>
        results.flatMap(({ failed }) => [...failed].map(([what, n]) => `${n} × ${what}`)).join(', ') || 'none'
      const goodput = median(goodputs)
      const servedAfter = normal.map((result) => good(result) / result.offered)
      const refusedP99s = over.map((result) => quantile(result.refusedMs, 0.99))
      const isRefusedInTime =
        over.every(({ refusedMs }) => refusedMs.length > 0) && median(refusedP99s) <= REFUSED_WITHIN_MS
      const percent = (part: number, digits: number) => `${(part * 100).toFixed(digits)} %`
      const ofNeither = failures([...over, ...normal])
      return [
        note(
          'peak, requests a second (lowest round)',
          `${Math.round(median(peaks))} (${Math.round(Math.min(...peaks))})`,
        ),
        note('offered, requests a second', Math.round(median(over.map(({ offered, seconds }) => offered / seconds)))),
        aim(
          'good answers, part of the peak (worst round)',
          `${percent(goodput, 1)} (${percent(Math.min(...goodputs), 1)})`,
          'at least 90 %',
          goodput >= MIN_GOODPUT,
        ),
        note('good answers took (p50 / p99)', `${quantile(servedMs)} / ${quantile(servedMs, 0.99)} ms`),
        note('refused with 503 or 429', refusedMs.length),
        note('refusals took, p50 of all rounds', `${quantile(refusedMs)} ms`),
        aim(
          'refusals took, p99 (worst round)',
          `${median(refusedP99s)} ms (${Math.max(...refusedP99s)} ms)`,
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
          `${percent(median(servedAfter), 2)} (${percent(Math.min(...servedAfter), 2)})`,
          'at least 99.9 %',
          median(servedAfter) >= 0.999,
        ),
        note(
          'they took (p50 / p99)',
          `${quantile(normal.flatMap((r) => r.servedMs))} / ${quantile(
            normal.flatMap((r) => r.servedMs),
            0.99,
          )} ms`,
        ),
      ]
    } finally {
      await db.end()
      await product.stop()
      await database.stop()
    }
  },
}

/** Returns sources of requests; every second one of `any` is a send under a key of its own. */
function makeRequests(tokens: string[], nextPlate: () => string) {
  let n = 0
  const read = () => encodeRequest(PORT, 'GET', '/api/dashboard', tokens[n++ % tokens.length]!)
  const send = () => {
    const body = JSON.stringify({ plate: nextPlate(), content: 'Your lights are on.', reason: 'lights_on' })
    const token = tokens[n++ % tokens.length]
    return Buffer.from(
      `POST /api/messages HTTP/1.1\r\nhost: localhost:${PORT}\r\nidempotency-key: ${newId()}\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
  }
  return { read, any: () => (Math.floor(n / 2) % 2 === 0 ? read() : send()) }
}

/** Returns how many requests a second are answered in a closed loop. */
async function measurePeak(request: () => Buffer, isServed: (status: number) => boolean): Promise<number> {
  const { requests, seconds, unexpected } = await runLoad(TARGET, PEAK_CONNECTIONS, PHASE_S, request, isServed)
  if (unexpected.length > 0) throw new Error(`refused at the peak: ${unexpected.join(' | ')}`)
  return requests / seconds
}
