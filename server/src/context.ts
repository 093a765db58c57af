import type { FastifyBaseLogger } from 'fastify'
import type { Config } from './config.ts'
import type { Pool } from './db/pool.ts'
import type { Outbox } from './email/outbox.ts'
import type { Keyring } from './encryption/envelope-encryption.ts'
import type { FileStore } from './files/file-store.ts'
import type { LiveHub } from './live/live-hub.ts'

export type Logger = FastifyBaseLogger

/** What the app is built from, made in start.ts (or test/app.ts) and handed down as an argument. */
export type AppContext = {
  config: Config
  log: Logger
  db: Pool
  /** Seals and opens texts and files. */
  keyring: Keyring
  /** The signing secrets of access tokens: the first signs, all verify. */
  jwtSecrets: string[]
  /** Attachment files. */
  files: FileStore
  /** Tells open streams that somebody has news. */
  live: LiveHub
  /** Wakes the mail worker of this process after a commit. */
  outbox: Outbox
}
