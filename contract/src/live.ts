import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/**
 * The stream of server-sent events (decision live-updates): `notification` carries a `Notification` and an id to resume
 * from; `unread` carries `{count}` and as id the number to resume from; `changed` carries `{}` and no id: something that is
 * shown was taken away. A process that is about to stop sends a short `retry` and ends the stream: the next connection reaches
 * another one. A comment line is sent as a heartbeat every `LIVE_HEARTBEAT_S` seconds.
 */
export const openLiveStream = endpoint({
  method: 'GET',
  path: '/api/live',
  audience: 'user',
  summary: 'A stream of server-sent events: notification, unread and changed.',
  headers: { 'Last-Event-ID': 'the id of the last event received: the stream goes on after it' },
  output: z.string(),
  responseType: 'text/event-stream',
})

export const LIVE_HEARTBEAT_S = 15
