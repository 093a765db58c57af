import type { AddressInfo } from 'node:net'
import { buildApp } from '../app.ts'
import type { AppContext } from '../context.ts'
import { listen } from '../http/listen.ts'
import { callingFile, closeAtEnd } from './closing.ts'

/** Starts another HTTP server on the same context, for tests of a different setting or of its shutdown. */
export async function startSiblingServer(context: AppContext, webRoot?: string) {
  const openedBy = callingFile()
  const app = await buildApp(context, webRoot)
  await listen(app, { host: '127.0.0.1', port: 0 })
  closeAtEnd(() => app.close(), openedBy)
  return {
    app,
    url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    drain: () => app.drain(),
    workInProgress: app.workInProgress,
    close: () => app.close(),
    [Symbol.asyncDispose]: () => app.close(),
  }
}
