import type { AddressInfo } from 'node:net'
import { buildApp } from '../app.ts'
import type { AppContext } from '../context.ts'

/** Another HTTP server on the same parts, for what differs by a setting or is about its end. */
export async function startSiblingServer(context: AppContext, webRoot?: string) {
  const app = await buildApp(context, webRoot)
  await app.listen({ host: '127.0.0.1', port: 0 })
  return { url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`, close: () => app.close() }
}
