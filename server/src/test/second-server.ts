import type { AddressInfo } from 'node:net'
import { buildApp } from '../app.ts'
import type { Parts } from '../parts.ts'

/** Another HTTP server on the same parts, for what differs by a setting or is about its end. */
export async function secondServer(parts: Parts, webRoot?: string) {
  const app = await buildApp(parts, webRoot)
  await app.listen({ host: '127.0.0.1', port: 0 })
  return { url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`, close: () => app.close() }
}
