/** The profile that V8 takes: a tree of frames, and the frame in which each sample found the thread. */
type CpuProfile = {
  nodes: { id: number; callFrame: { functionName: string; url: string }; children?: number[] }[]
  samples: number[]
  /** Microseconds between samples. */
  timeDeltas: number[]
}

type InspectorResponse = { id: number; result?: { profile?: CpuProfile }; error?: { message: string } }

const SAMPLING_INTERVAL_US = 200

/**
 * Connects to the inspector of a process on this machine that was started with `--inspect=127.0.0.1:<port>`.
 *
 * @returns a function that profiles the main thread of that process while `work` runs
 */
export async function connectProfiler(port: number) {
  const [target] = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as { webSocketDebuggerUrl: string }[]
  if (!target) throw new Error(`nothing to inspect on port ${port}`)
  const socket = new WebSocket(target.webSocketDebuggerUrl)
  const waiting = new Map<number, (response: InspectorResponse) => void>()
  socket.addEventListener('message', ({ data }) => {
    const response = JSON.parse(String(data)) as InspectorResponse
    waiting.get(response.id)?.(response)
    waiting.delete(response.id)
  })
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error('the inspector refused the connection')))
  })
  let lastId = 0
  const call = async (method: string, params: object = {}) => {
    const id = ++lastId
    const { error, result } = await new Promise<InspectorResponse>((resolve) => {
      waiting.set(id, resolve)
      socket.send(JSON.stringify({ id, method, params }))
    })
    if (error) throw new Error(`${method}: ${error.message}`)
    return result
  }
  await call('Profiler.enable')
  await call('Profiler.setSamplingInterval', { interval: SAMPLING_INTERVAL_US })
  return {
    async profile(work: () => Promise<unknown>): Promise<CpuProfile> {
      await call('Profiler.start')
      await work()
      const profile = (await call('Profiler.stop'))?.profile
      if (!profile) throw new Error('the inspector returned no profile')
      return profile
    },
    [Symbol.dispose]: () => socket.close(),
  }
}

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

/**
 * Adds up a profile by who owns the time.
 *
 * What has no owner of its own (built-in functions, Node's modules, other packages) belongs to the nearest caller that has
 * one, and to Node's sockets and HTTP where there is none; JSON is counted apart, for all callers together.
 *
 * @returns the share of each in the time that was not idle
 */
export function addUp({ nodes, samples, timeDeltas }: CpuProfile): Map<string, number> {
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
  return new Map([...microseconds].map(([owner, time]) => [owner, time / total]))
}
