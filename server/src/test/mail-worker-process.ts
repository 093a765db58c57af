import { openTransport } from '../email/transport.ts'
import { startWorker } from '../email/worker.ts'
import { mailParts, renderersFrom, renderPlainly } from './mail-house.ts'

// A worker in a process of its own, for the test that kills it. Arguments: database, data folder, SMTP_URL.
const [databaseUrl = '', dataDir = '', smtpUrl] = process.argv.slice(2)
const parts = await mailParts(databaseUrl, dataDir)
startWorker(parts, renderersFrom(renderPlainly), openTransport({ ...parts.config, SMTP_URL: smtpUrl }, parts.db))
