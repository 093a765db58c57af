import { existsSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import { startJanitor } from './attachments/janitor.ts'
import { startAccountJanitor } from './auth/janitor.ts'
import { type Config, ConfigError } from './config.ts'
import { startContactJanitor } from './contact/janitor.ts'
import { newId } from './db/ids.ts'
import { migrate } from './db/migrate.ts'
import { learnTypes, type Pool } from './db/pool.ts'
import { startChallengeJanitor } from './disputes/janitor.ts'
import { openTransport } from './email/transport.ts'
import { startWorker } from './email/worker.ts'
import { openFileStore } from './files/open-store.ts'
import { openLog } from './http/log.ts'
import { serveMetrics } from './http/metrics.ts'
import { readKeys } from './keys.ts'
import { openLiveHub } from './live/hub.ts'
import { RENDERERS } from './mails.ts'
import type { Parts } from './parts.ts'
import { makeDeliver } from './push/deliver.ts'
import { readVapidKeys } from './push/vapid.ts'
import { startPushWorker } from './push/worker.ts'
import { checkKeys, isSealed, openKeyring } from './sealing/key-check.ts'
import { makeKeys } from './sealing/seal.ts'
import { startDisputeClock } from './vehicles/settle-overdue.ts'

export type Running = { app: FastifyInstance; parts: Parts; url: string; stop(): Promise<void> }

/**
 * Starts everything on an open database: migrates it, checks the keys, starts the worker and listens.
 *
 * @param webRoot folder of the built web app, or undefined to serve the interface alone
 */
export async function start(config: Config, db: Pool, webRoot?: string): Promise<Running> {
  if (webRoot && !existsSync(join(webRoot, 'csp.json')))
    throw new ConfigError('the web app is not built; run npm run build')
  await learnTypes(db)
  const { masterKey, jwtSecret } = readKeys(config, { mayMake: !(await isSealed(db)) })
  const keys = makeKeys(masterKey, config.MASTER_KEYS_OLD)
  await checkKeys(db, keys) // before anything is written
  const log = openLog(config.LOG_LEVEL)
  const files = await openFileStore(config)
  await migrate(db)
  const keyring = await openKeyring(db, keys)

  // what ends what was begun, the last first: also when the start fails half-way, so that its one line stays alone
  const ends: (() => unknown)[] = []
  const stop = async () => {
    for (let end = ends.pop(); end; end = ends.pop()) await end()
  }
  try {
    const live = await openLiveHub(db, log, newId())
    ends.push(() => live.close())
    const base = { config, log, db, keyring, jwtSecrets: [jwtSecret, ...config.JWT_SECRETS_OLD], files, live }
    const transport = openTransport(config, db)
    ends.push(() => transport.close())
    const works = config.ROLE !== 'web'
    if (works && config.production && config.MAIL_POSTAL_ADDRESS === undefined) {
      log.warn('MAIL_POSTAL_ADDRESS is not set: mails name no postal address, which anti-spam law wants')
    }
    if (config.production && config.PRIVACY_OFFICER === undefined) {
      log.warn('PRIVACY_OFFICER is not set: the privacy page names no person in charge, only the title')
    }
    const vapid = readVapidKeys(config)
    const pushes = works && vapid ? startPushWorker(base, makeDeliver(config, vapid)) : undefined
    ends.push(() => pushes?.stop())
    const worker = works ? startWorker(base, RENDERERS, transport) : undefined
    const janitors = works
      ? [startJanitor(base), startAccountJanitor(base), startContactJanitor(base), startChallengeJanitor(base)]
      : []
    ends.push(async () => {
      for (const job of [...janitors, worker]) await job?.stop()
    })
    const parts: Parts = { ...base, outbox: { wake: () => worker?.wake() } }
    if (works) {
      const clock = startDisputeClock(parts)
      ends.push(() => clock.stop())
    }
    const app = await buildApp(parts, webRoot)
    ends.push(() => app.close())
    if (config.METRICS_PORT !== undefined) {
      const metrics = await serveMetrics(app, config.HOST, config.METRICS_PORT)
      ends.push(() => metrics.close())
    }
    await app.listen({ host: config.HOST, port: config.PORT })
    const { port } = app.server.address() as AddressInfo
    const host = config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST
    return { app, parts, url: `http://${host}:${port}`, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
