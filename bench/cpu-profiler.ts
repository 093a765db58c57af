/** The profile that V8 takes: a tree of frames, and the frame in which each sample found the thread. */
export type CpuProfile = {
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
    async profile(work: () => Promise<void>): Promise<CpuProfile> {
      await call('Profiler.start')
      await work()
      const profile = (await call('Profiler.stop'))?.profile
      if (!profile) throw new Error('the inspector returned no profile')
      return profile
    },
    close: () => socket.close(),
  }
}
