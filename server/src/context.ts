import type { Config } from './config.ts'
import type { Pool } from './db/pool.ts'
import type { Keyring } from './encryption/envelope-encryption.ts'
import type { FileStore } from './files/file-store.ts'
import type { LiveHub } from './live/live-hub.ts'
import type { Logger } from './log/logger.ts'

/** Wakes the mail worker of this process; call after the commit that queued an email. */
type Outbox = { wake(): void }

/** What a hash of a password or of a note's code costs (Argon2): KiB of memory, rounds, threads. */
export type PasswordHashing = { memoryCost: number; timeCost: number; parallelism: number }

/** Everything the app is built from. Created in start.ts (or test/app.ts) and passed down as an argument. */
export type AppContext = {
  config: Config
  log: Logger
  db: Pool
  /** Encrypts and decrypts texts and files. */
  keyring: Keyring
  /** The secrets of access tokens: the first one signs, all of them verify. */
  jwtSecrets: string[]
  /** Photos, documents of disputes, and the journal of deletions. */
  files: FileStore
  /** Notifies open streams that a user has updates. */
  live: LiveHub
  outbox: Outbox
  /** What a hash costs, where it is not what it should: tests sign hundreds of people up, whose passwords are no secret. */
  passwordHashing?: PasswordHashing | undefined
  /** How long a call waits for a place, and a request, a pause or an image may take, where it is not as long as it should: a machine that runs tests may be slow. */
  patienceMs?: number | undefined
}
