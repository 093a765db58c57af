import { openTransport } from '../email/transport.ts'
import { startMailWorker } from '../email/worker.ts'
import { createMailContext, renderersWith, renderTestMail } from './mail-harness.ts'

// A worker in a process of its own, for the test that kills it. Arguments: database, data folder, SMTP_URL.
const [databaseUrl = '', dataDir = '', smtpUrl] = process.argv.slice(2)
const context = await createMailContext(databaseUrl, dataDir)
startMailWorker(
  context,
  renderersWith(renderTestMail),
  openTransport({ ...context.config, SMTP_URL: smtpUrl }, context.db),
)
