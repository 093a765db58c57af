import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import { handler } from 'altcha-lib/workers/shared'

// tries one step after the other, off the main thread
handler({ deriveKey })
