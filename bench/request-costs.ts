import type { CpuProfile } from './cpu-profiler.ts'

/** Where a request's time goes. The first pattern that a frame's file matches owns it; see `ownerOf` for the others. */
const OWNERS: [owner: string, file: RegExp][] = [
  ['driver and SQL', /\/node_modules\/pg(-\w+)?\/|\/server\/src\/db\//],
  ['encryption', /\/server\/src\/encryption\/|node:internal\/crypto/],
  ['checks of the contract', /\/node_modules\/zod\/|\/contract\/src\//],
  ['log', /\/node_modules\/(pino|sonic-boom|quick-format-unescaped)\/|\/server\/src\/(log\/|http\/request-log)/],
  ['session check', /\/server\/src\/(auth\/|http\/actor)/],
  ['limits', /\/server\/src\/limits\//],
  ['framework', /\/node_modules\/(fastify|find-my-way|avvio|@fastify|secure-json-parse|fast-[\w-]+)\//],
  ['routes, headers, metrics', /\/server\/src\/http\/|\/node_modules\/prom-client\//],
  ['the feature itself', /\/server\/src\//],
]

/** Frames that V8 names itself, with no file. */
const OF_THE_ENGINE = new Map([
  ['(garbage collector)', 'garbage collection'],
  ['(program)', 'engine and system calls'],
  ['(idle)', 'idle'],
])
const SERIALIZATION = /^(stringify|parse|serialize|asString|toJSON)$/

export type RequestCosts = { owner: string; share: number }[]

/**
 * Adds up a profile by who owns the time.
 *
 * What has no owner of its own (built-in functions, Node's modules, other packages) belongs to the nearest caller that has
 * one, and to Node's sockets and HTTP where there is none; JSON is counted apart, for all callers together.
 *
 * @returns shares of the time that was not idle, largest first
 */
export function addUp({ nodes, samples, timeDeltas }: CpuProfile): RequestCosts {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)))
  const owners = new Map<number, string>()

  function ownerOf(id: number): string {
    const known = owners.get(id)
    if (known !== undefined) return known
    const { functionName, url } = byId.get(id)!.callFrame
    const parent = parents.get(id)
    const own =
      OF_THE_ENGINE.get(functionName) ??
      (url === '' && SERIALIZATION.test(functionName) ? 'JSON' : OWNERS.find(([, file]) => file.test(url))?.[0])
    const owner = own ?? (parent === undefined ? 'sockets and HTTP of Node' : ownerOf(parent))
    owners.set(id, owner)
    return owner
  }

  const microseconds = new Map<string, number>()
  for (const [i, id] of samples.entries()) {
    const owner = ownerOf(id)
    if (owner !== 'idle') microseconds.set(owner, (microseconds.get(owner) ?? 0) + Math.max(0, timeDeltas[i] ?? 0))
  }
  const total = [...microseconds.values()].reduce((sum, one) => sum + one, 0)
  return [...microseconds]
    .map(([owner, time]) => ({ owner, share: time / total }))
    .toSorted((a, b) => b.share - a.share)
}
