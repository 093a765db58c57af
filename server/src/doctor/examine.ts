import { isAbsolute } from 'node:path'
import { type Config, ConfigError, loadConfig } from '../config.ts'
import { explainConnectionError } from '../db/explain-error.ts'
import type { Pool } from '../db/pool.ts'
import { parseSmtpUrl, tryConnection } from '../email/transport.ts'
import { SECOND_MS } from '../time.ts'
import { checkCertificate } from './check-certificate.ts'
import {
  checkConnections,
  checkDurability,
  checkExtension,
  checkRights,
  checkSchema,
  checkServer,
} from './check-database.ts'
import { checkMasterKey, checkPushKeys, checkTokenSecret } from './check-keys.ts'
import { checkClock, checkDisk, checkStorage } from './check-machine.ts'
import { checkBackup, checkWorkers } from './check-running.ts'
import { connect } from './connect.ts'
import { type Finding, fail, ok, runWithinLimit, warn } from './finding.ts'
import { createSecretFilter } from './hide-secrets.ts'

/** Shorter than a check may take, so that what is said names the server. */
const TIMEOUT_MS = 4 * SECOND_MS

/** Connects to the mail server and signs in. No email is sent. */
async function checkMail({ SMTP_URL, production }: Config): Promise<Finding> {
  if (SMTP_URL === undefined) return ok('no SMTP_URL: emails are kept and shown at /dev/mailbox')
  const parsed = parseSmtpUrl(SMTP_URL, production)
  const server = new URL(SMTP_URL).host
  const reason = await tryConnection(parsed, TIMEOUT_MS)
  if (reason === null) return ok(`${server} takes our connection${new URL(SMTP_URL).username ? ' and password' : ''}`)
  return fail(`${server} ${explain(reason)}`)
}

function checkReturns({ INBOUND_ADDRESS, production }: Config): Finding {
  if (INBOUND_ADDRESS !== undefined) return ok(`emails that come back are noticed: they go to ${INBOUND_ADDRESS}`)
  const missing =
    'no INBOUND_ADDRESS: nobody is told of emails that come back, and documents sent by email do not count by themselves'
  return production ? warn(`${missing}; see "Mail" in docs/operations.md`) : ok(missing)
}

function explain(reason: string): string {
  if (/^smtp_53[0-8]$/.test(reason) || reason === 'eauth')
    return `refuses the user or the password (${reason}): correct SMTP_URL`
  if (reason.startsWith('smtp_')) return `refuses us (${reason}): ask who runs it`
  if (reason === 'timeout')
    return `does not answer in time: correct host and port of SMTP_URL, or open the port in the firewall`
  if (reason === 'etls')
    return `does not encrypt as it must (${reason}): use smtps://, a server with a valid certificate, or see ?tls= in docs/operations.md`
  const certificate = reason === 'esocket' ? ', or renew its certificate, if that is what does not verify' : ''
  return `cannot be reached (${reason}): correct host, port and encryption (smtp:// or smtps://) of SMTP_URL${certificate}`
}

const ASK_THE_DATABASE = 'the database is too busy or frozen; look at what runs in it'
const CLOSE_TIMEOUT_S = 1
const NAME_WIDTH = 12

type Check = {
  name: string
  onSilence: string
} & (
  | { needs: 'nothing'; run(config: Config): Promise<Finding> | Finding }
  | { needs: 'database'; run(db: Pool, config: Config): Promise<Finding | Finding[]> }
  | { needs: 'database if there'; run(config: Config, db: Pool | null): Promise<Finding> }
)

/** What is checked, in the order of its lines, after the settings and the database itself. */
const CHECKS: Check[] = [
  ...Object.entries({
    schema: (db: Pool) => checkSchema(db),
    extension: checkExtension,
    rights: checkRights,
    connections: (db: Pool, { DATABASE_POOL }: Config) => checkConnections(db, DATABASE_POOL),
    durability: checkDurability,
    clock: checkClock,
  }).map(([name, run]): Check => ({ name, onSilence: ASK_THE_DATABASE, needs: 'database', run })),
  {
    name: 'storage',
    onSilence: 'check the network, the endpoint of STORAGE_URL, or the disk of DATA_DIR',
    needs: 'nothing',
    run: checkStorage,
  },
  {
    name: 'mail',
    onSilence: 'correct host and port of SMTP_URL',
    needs: 'nothing',
    run: checkMail,
  },
  { name: 'returns', onSilence: 'start it again', needs: 'nothing', run: checkReturns },
  {
    name: 'certificate',
    onSilence: 'let the proxy at PUBLIC_URL answer, unless only this machine cannot reach it',
    needs: 'nothing',
    run: checkCertificate,
  },
  {
    name: 'push keys',
    onSilence: 'check the disk of DATA_DIR',
    needs: 'nothing',
    run: checkPushKeys,
  },
  {
    name: 'master key',
    onSilence: ASK_THE_DATABASE,
    needs: 'database if there',
    run: checkMasterKey,
  },
  {
    name: 'JWT secret',
    onSilence: 'check the disk of DATA_DIR',
    needs: 'nothing',
    run: checkTokenSecret,
  },
  {
    name: 'disk',
    onSilence: 'the disk of DATA_DIR does not answer; check its mount',
    needs: 'nothing',
    run: checkDisk,
  },
  { name: 'backup', onSilence: ASK_THE_DATABASE, needs: 'database', run: checkBackup },
  { name: 'workers', onSilence: ASK_THE_DATABASE, needs: 'database', run: checkWorkers },
]

type Environment = Record<string, string | undefined>
type Connected = { findings: Finding[]; db: Pool | null; close(): Promise<void> }

/** Opens the database and checks the server; without one that answers, what needs it is not checked. */
async function examineDatabase(config: Config): Promise<Connected> {
  let db: Pool | undefined
  const findings = await runWithinLimit(async () => {
    try {
      db = await connect(config)
      return await checkServer(db)
    } catch (error) {
      throw explainConnectionError(error, config)
    }
  }, 'start the database, or correct the host and port of DATABASE_URL')
  const isThere = findings.every(({ level }) => level !== 'FAIL')
  return {
    findings,
    db: isThere ? db! : null,
    close: async () => db?.end({ timeout: CLOSE_TIMEOUT_S }),
  }
}

async function runCheck(check: Check, config: Config, connecting: Promise<Connected>) {
  if (check.needs === 'nothing') return runWithinLimit(async () => check.run(config), check.onSilence)
  const { db } = await connecting
  if (check.needs === 'database if there') return runWithinLimit(() => check.run(config, db), check.onSilence)
  if (!db) return [warn('not checked: correct the database first')]
  return runWithinLimit(() => check.run(db, config), check.onSilence)
}

/** Warns of data that would stay behind when the next version is unpacked beside this one and started there. */
function checkDataFolder(env: Environment, config: Config): Finding[] {
  const isUsed = config.DATABASE_URL === undefined || config.STORAGE_URL === undefined
  if (!config.production || !isUsed || isAbsolute(env['DATA_DIR'] || 'data')) return []
  return [
    warn(
      `DATA_DIR is relative to the folder PlateNote is started in, now ${config.DATA_DIR}: set it to that, or the next version, in another folder, begins with none of the data`,
    ),
  ]
}

/**
 * Checks everything an installation stands on and prints a line for each; with settings that are wrong, only what is wrong with them. Changes nothing, but for what it writes to the store of
 * photos and deletes again, and works while the product runs.
 *
 * @returns how many lines begin with FAIL
 */
export async function examine(
  env: Environment,
  print: (line: string) => void,
): Promise<{ failed: number; warned: number }> {
  const hideSecrets = createSecretFilter(env)
  const counts = { ok: 0, warn: 0, FAIL: 0 }
  const report = (name: string, findings: Finding[]) => {
    for (const { level, text } of findings) {
      counts[level]++
      const line = text.replaceAll(/\s+/g, ' ').trim()
      print(hideSecrets(`${level.padEnd(4)}  ${name.padEnd(NAME_WIDTH)} ${line}`))
    }
  }

  const config = readSettings(env)
  if (config instanceof ConfigError) report('settings', [fail(`${config.message}; the rest is checked after that`)])
  else await examineAll(env, config, report)
  return { failed: counts.FAIL, warned: counts.warn }
}

function readSettings(env: Environment): Config | ConfigError {
  try {
    return loadConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error
    throw error
  }
}

async function examineAll(env: Environment, config: Config, report: (name: string, findings: Finding[]) => void) {
  const mode = config.production ? `production, ${config.PUBLIC_URL}` : `${config.NODE_ENV}, not for the public`
  report('settings', [ok(`complete (${mode})`), ...checkDataFolder(env, config)])
  const connecting = examineDatabase(config)
  const running = CHECKS.map((check) => ({ name: check.name, findings: runCheck(check, config, connecting) }))
  const connected = await connecting
  report('database', connected.findings)
  for (const { name, findings } of running) report(name, await findings)
  await connected.close()
}
