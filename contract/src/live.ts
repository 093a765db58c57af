/** The stream of server-sent events (decision 0074): bearer header, `Last-Event-ID` honoured. */
export const LIVE_PATH = '/api/live'

/**
 * Events: `notification` carries a `Notification` and an id to resume from; `unread` carries `{count}` and no id.
 * A comment line comes as heartbeat, every `LIVE_HEARTBEAT_S` seconds.
 */
export const LIVE_EVENTS = ['notification', 'unread'] as const
export const LIVE_HEARTBEAT_S = 15
