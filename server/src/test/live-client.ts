import { setTimeout as delay } from 'node:timers/promises'
import { createParser } from 'eventsource-parser'

const FIRST_RETRY_MS = 1_000

/**
 * Keeps a live stream open, as a page does: when it ends, it is opened again after the time the server named, behind the last
 * event that came. Counts how often each message was announced.
 */
export function startLiveClient(url: string, token: string) {
  const control = new AbortController()
  const { signal } = control
  const timesByMessage = new Map<string, number>()
  const gapsMs: number[] = []
  let opened = 0
  let refused = 0
  let lastId = ''
  let retryMs = FIRST_RETRY_MS
  let lostAt: number | undefined

  const readOnce = async () => {
    const headers = { authorization: `Bearer ${token}`, ...(lastId && { 'last-event-id': lastId }) }
    const response = await fetch(`${url}/api/live`, { signal, headers })
    if (response.status !== 200 || !response.body) {
      refused++
      return void (await response.arrayBuffer())
    }
    opened++
    if (lostAt !== undefined) gapsMs.push(performance.now() - lostAt)
    const parser = createParser({
      onEvent({ id, event, data }) {
        if (id) lastId = id
        if (event !== 'notification') return
        const { message_id } = (JSON.parse(data) as { data: { message_id?: string } }).data
        if (message_id) timesByMessage.set(message_id, (timesByMessage.get(message_id) ?? 0) + 1)
      },
      onRetry(milliseconds) {
        retryMs = milliseconds
      },
    })
    const decoder = new TextDecoder()
    for await (const chunk of response.body) parser.feed(decoder.decode(chunk, { stream: true }))
  }
  const running = (async () => {
    while (!signal.aborted) {
      await readOnce().catch(() => {}) // interrupted: it is opened again
      lostAt = performance.now()
      await delay(retryMs * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => {})
    }
  })()
  return {
    timesByMessage,
    /** How long it was not connected, each time. */
    gapsMs,
    opened: () => opened,
    /** Returns how many attempts to open it were refused. */
    refused: () => refused,
    async close() {
      control.abort()
      await running
    },
  }
}
