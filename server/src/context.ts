import type { Config } from './config.ts'
import type { Pool } from './db/pool.ts'
import type { Keyring } from './encryption/envelope-encryption.ts'
import type { FileStore } from './files/file-store.ts'
import type { LiveHub } from './live/live-hub.ts'
import type { Logger } from './log/logger.ts'

/** Wakes the mail worker of this process; call after the commit that queued an email. */
export type Outbox = { wake(): void }

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
  outbox: Outbox
}
