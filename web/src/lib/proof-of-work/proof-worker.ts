import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import { handler } from 'altcha-lib/workers/shared'

// tries one step after the other, apart from the page
handler({ deriveKey })
