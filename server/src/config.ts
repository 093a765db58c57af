import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { asciiEmail, isEmail } from '#contract/addresses.ts'
import { PRODUCT } from '#contract/product.ts'
import { OperatorError } from './log/operator-error.ts'

/**
 * Returns whether a host, as it stands in a URL, is this machine (RFC 6761 §6.3, RFC 1122 §3.2.1.3, RFC 4291 §2.5.3).
 * An IPv6 address may have its brackets or not.
 */
export const isLocalHost = (host: string): boolean =>
  /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)

const ROLES = ['web', 'worker', 'all'] as const
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** Treats a variable that is set to nothing as not set, which is what an empty line in an `.env` file means. */
const optional = <T extends z.ZodType>(type: T) => z.preprocess((v) => (v === '' ? undefined : v), type.optional())
const withDefault = <T extends z.ZodType>(type: T, value: string) =>
  z.preprocess((v) => (v === '' || v === undefined ? value : v), type)

const shortText = (max: number) =>
  z
    .string()
    .max(max, `must have at most ${max} characters`)
    .regex(/^\P{Cc}*$/u, 'must be one line')

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((n) => n >= min && n <= max, `must be a whole number from ${min} to ${max}`)

/** Returns whether each % begins an escape, which whoever reads a part of the URL will decode. */
function isDecodable(url: string): boolean {
  try {
    return decodeURIComponent(url) !== ''
  } catch {
    return false
  }
}

const noBlanks = z.string().regex(/^\S*$/, 'must have no blanks in it')

const urlWithProtocol = (...protocols: string[]) =>
  noBlanks
    .refine(isDecodable, 'must have %25 where a % stands for itself')
    .refine(
      (v) => URL.canParse(v) && protocols.includes(new URL(v).protocol),
      `must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`,
    )

/** The values `?tls=` of SMTP_URL may have; without it `parseSmtpUrl` decides. */
const TLS_MODES = new Set<string | null | undefined>([null, undefined, 'required', 'optional'])

/** The networks behind the names that TRUST_PROXY may have besides addresses, as Fastify reads them. */
export const PROXY_ALIASES: Record<string, string[]> = {
  loopback: ['127.0.0.1/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** Returns whether the text is an address, a network such as 10.0.0.0/8, or one of the names for private networks. */
function isTrustedProxy(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/')
  if (Object.hasOwn(PROXY_ALIASES, text)) return true
  const bits = isIP(address) === 4 ? 32 : 128
  return (
    isIP(address) !== 0 &&
    more.length === 0 &&
    (prefix === undefined || (/^\d+$/.test(prefix) && Number(prefix) <= bits))
  )
}

/** A list separated by commas. */
const list = z.string().transform((v) =>
  v
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
)

const trustedProxies = list.refine(
  (all) => all.every(isTrustedProxy),
  'must be addresses or networks such as 10.0.0.0/8, separated by commas',
)

/** Where a server listens, as Node wants it. */
const listenAddress = z
  .string()
  .refine(
    (v) => isIP(v) !== 0 || /^[a-z\d]+(?:[.-][a-z\d]+)*$/i.test(v),
    'must be an address such as 0.0.0.0 or ::1, or a name',
  )

const masterKey = z
  .string()
  .refine(
    (v) => /^[\w+/-]{43}=?$/.test(v) && Buffer.from(v, 'base64').length === 32,
    'must be 32 bytes in base64 (openssl rand -base64 32)',
  )
/** Describes a P-256 key in base64url, as `npx web-push generate-vapid-keys` prints it. */
const vapidKey = z
  .string()
  .refine(
    (v) => /^[\w-]+$/.test(v) && Buffer.from(v, 'base64url').length === 32,
    'must be the private key of npx web-push generate-vapid-keys',
  )
/** What the library of age checks further when it is used: it is too large for every start. */
const backupRecipients = list.refine(
  (all) => all.every((key) => /^age1[02-9ac-hj-np-z]{58,}$/.test(key)),
  'must be public keys of age (age1…), separated by commas; platenote backup --new-key <file> prints one',
)
const PUSH_HOST = /^(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d+)?$|^http:\/\/(?:localhost|127\.0\.0\.1):\d+$/
const pushHosts = list.refine(
  (all) => all.every((host) => PUSH_HOST.test(host)),
  'must be host names such as *.push.apple.com, separated by commas',
)
/** `Name <address>` or an address alone (RFC 5322 §3.4). A name with a comma or an @ needs its quotation marks. */
const MAILBOX = /^(?:(?:"[^"]*"|[^"<>@,;:]*)\s*<([^<>]+)>|([^<>]+))$/
const mailbox = z.string().refine((v) => {
  const [, inBrackets, alone] = MAILBOX.exec(v) ?? []
  return isEmail(asciiEmail(inBrackets ?? alone ?? ''))
}, 'must be an e-mail address, or Name <address>')
const mailAddress = z.string().transform(asciiEmail).refine(isEmail, 'must be an e-mail address')
const secret = noBlanks.min(32, 'must have at least 32 characters (openssl rand -base64 32)')
const booleanFlag = z.enum(['true', 'false'], 'must be true or false').transform((v) => v === 'true')

/** A plus and 45 characters follow, of the 64 that RFC 5321 allows (4.5.3.1.1). */
const INBOUND_LOCAL_MAX = 18

/** Every setting (decision settings-and-commands), with its default. */
const Settings = z.object({
  NODE_ENV: withDefault(z.enum(['development', 'production'], 'must be development or production'), 'development'),
  HOST: withDefault(listenAddress, '127.0.0.1'),
  PORT: withDefault(wholeNumber(0, 65535), '3000'),
  PUBLIC_URL: optional(urlWithProtocol('http:', 'https:')),
  DATA_DIR: withDefault(z.string(), 'data'),
  DATABASE_URL: optional(urlWithProtocol('postgres:', 'postgresql:')),
  DATABASE_TLS: optional(z.enum(['required', 'optional'], 'must be required or optional')),
  DATABASE_POOL: withDefault(wholeNumber(2, 100), '8'),
  SEND_BATCHES: withDefault(wholeNumber(1, 8), '1'),
  SMTP_URL: optional(
    urlWithProtocol('smtp:', 'smtps:')
      .refine((v) => URL.parse(v)?.hostname !== '', 'must name a server')
      .refine(
        (v) => TLS_MODES.has(URL.parse(v)?.searchParams.get('tls')),
        'may end with ?tls=required or ?tls=optional',
      ),
  ),
  MAIL_FROM: withDefault(mailbox, 'PlateNote <notes@platenote.ca>'),
  MAIL_SENDER_NAME: withDefault(shortText(200), PRODUCT),
  MAIL_POSTAL_ADDRESS: optional(shortText(300)),
  SUPPORT_EMAIL: withDefault(mailAddress, 'support@platenote.ca'),
  PRIVACY_OFFICER: optional(shortText(200)),
  PRIVACY_EMAIL: optional(mailAddress),
  INBOUND_ADDRESS: optional(
    mailAddress.refine(
      (v) => v.lastIndexOf('@') <= INBOUND_LOCAL_MAX,
      `must have at most ${INBOUND_LOCAL_MAX} characters before the @`,
    ),
  ),
  INBOUND_MAIL_SECRET: optional(secret),
  BACKUP_RECIPIENTS: withDefault(backupRecipients, ''),
  STORAGE_URL: optional(urlWithProtocol('s3:')),
  MASTER_KEY: optional(masterKey),
  MASTER_KEYS_OLD: withDefault(list.pipe(z.array(masterKey)), ''),
  JWT_SECRET: optional(secret),
  // each of them is accepted like the current one, so the same length is required
  JWT_SECRETS_OLD: withDefault(list.pipe(z.array(secret)), ''),
  SERVICE_KEY: optional(secret),
  VAPID_PRIVATE_KEY: optional(vapidKey),
  PUSH_HOSTS: withDefault(
    pushHosts,
    'fcm.googleapis.com,updates.push.services.mozilla.com,*.push.apple.com,*.notify.windows.com',
  ),
  ROLE: withDefault(z.enum(ROLES, 'must be web, worker or all'), 'all'),
  TRUST_PROXY: optional(trustedProxies),
  DRAIN_SECONDS: optional(wholeNumber(0, 300)),
  MAX_CONNECTIONS: withDefault(wholeNumber(10, 1_000_000), '20000'),
  MAX_CONNECTIONS_PER_ADDRESS: withDefault(wholeNumber(1, 1_000_000), '200'),
  MAX_CONCURRENT_CALLS: withDefault(wholeNumber(4, 100_000), '64'),
  LIMIT_SCALE: withDefault(
    z
      .string()
      .regex(/^\d+(\.\d+)?$/, 'must be a number above 0')
      .transform(Number)
      .refine((n) => n > 0, 'must be a number above 0'),
    '1',
  ),
  METRICS_HOST: withDefault(listenAddress, '127.0.0.1'),
  ADMIN_SECOND_FACTOR: optional(z.enum(['required', 'optional'], 'must be required or optional')),
  METRICS_PORT: optional(wholeNumber(1, 65535)),
  LOG_LEVEL: withDefault(z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`), 'info'),
  AUTH_AUTOCONFIRM: withDefault(booleanFlag, 'false'),
})

/** The values of `sslmode` with which nothing but a request for TLS is sent in clear. */
const ENCRYPTED_SSL_MODES = new Set<string | null>(['require', 'verify-ca', 'verify-full'])

/** Returns whether what is exchanged with a database can be read on a network: neither on this machine nor encrypted. */
function isReadableOnNetwork(databaseUrl: string): boolean {
  const { hostname, searchParams } = new URL(databaseUrl)
  const host = searchParams.get('host') ?? (hostname || 'localhost')
  return !host.startsWith('/') && !isLocalHost(host) && !ENCRYPTED_SSL_MODES.has(searchParams.get('sslmode'))
}

/** What production needs besides the defaults, and why. */
const NEEDED_IN_PRODUCTION: [names: string[], why: string][] = [
  [['PUBLIC_URL', 'MASTER_KEY', 'JWT_SECRET', 'SMTP_URL'], ''],
  [
    // CASL, S.C. 2010, c. 23, s. 6(2) for emails, CQLR c. P-39.1, s. 3.1 for the privacy page
    ['MAIL_SENDER_NAME', 'MAIL_POSTAL_ADDRESS', 'PRIVACY_OFFICER'],
    '; the law wants emails and legal pages to name who runs this installation, a postal address, and who is in charge of personal information',
  ],
  [
    ['MAIL_FROM', 'SUPPORT_EMAIL'],
    '; the default is an address of PlateNote Inc., which would get what people write to this installation',
  ],
]

type Settings = z.output<typeof Settings>

export type Config = Omit<Settings, 'ADMIN_SECOND_FACTOR' | 'PUBLIC_URL'> & {
  /** Whether admins need a second factor; without the setting they do in production. */
  ADMIN_SECOND_FACTOR: 'required' | 'optional'
  /** The origin of every link and redirect, without a trailing slash. */
  PUBLIC_URL: string
  production: boolean
}

/** The names of all settings, which a test compares with the docs. */
export const SETTING_NAMES = Object.keys(Settings.shape)

/** A setting is missing or wrong; the message is one line that names it. */
export class ConfigError extends OperatorError {}

/**
 * What stands in a file of settings around a value, and is part of the value for programs that read such a file less cleverly
 * than Node does (`docker run --env-file`, systemd). A value of blanks alone is one that is missing.
 */
const UNREAD_SYNTAX = /^(["']).*\1$|^\s+\S|\S\s+$|\s#\s/s

/**
 * Reads the settings. Nothing else reads one from the environment, except the AWS SDK its credentials.
 *
 * @throws ConfigError that names every wrong setting
 */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const parsed = Settings.safeParse(env)
  const problems = SETTING_NAMES.filter((name) => UNREAD_SYNTAX.test(env[name] ?? '')).map(
    (name) => `${name} must have no quotation marks or blanks around it, and no comment behind it`,
  )
  if (!parsed.success || problems.length > 0) {
    problems.push(...(parsed.error?.issues ?? []).map(({ path, message }) => `${String(path[0])} ${message}`))
    throw new ConfigError(`wrong setting: ${[...new Set(problems)].join('; ')}`)
  }
  const s = parsed.data
  const production = s.NODE_ENV === 'production'
  if (s.METRICS_PORT !== undefined && s.METRICS_PORT === s.PORT) {
    throw new ConfigError('wrong setting: METRICS_PORT must be another port than PORT')
  }
  if ((s.INBOUND_ADDRESS === undefined) !== (s.INBOUND_MAIL_SECRET === undefined)) {
    throw new ConfigError('wrong setting: INBOUND_ADDRESS and INBOUND_MAIL_SECRET go together')
  }
  const publicUrl = new URL(s.PUBLIC_URL ?? `http://localhost:${s.PORT}`)
  if (publicUrl.pathname !== '/' || publicUrl.search || publicUrl.hash || publicUrl.username) {
    throw new ConfigError('wrong setting: PUBLIC_URL must be an origin such as https://platenote.ca, without a path')
  }
  const databaseTls = s.DATABASE_TLS ?? (production ? 'required' : 'optional')
  if (s.DATABASE_URL && databaseTls === 'required' && isReadableOnNetwork(s.DATABASE_URL)) {
    throw new ConfigError(
      'wrong setting: DATABASE_URL names another machine and must end with ?sslmode=verify-full, or ?sslmode=require where its certificate cannot be verified (DATABASE_TLS=optional allows a connection in clear)',
    )
  }
  if (production) {
    for (const [names, why] of NEEDED_IN_PRODUCTION) {
      const missing = names.filter((name) => !env[name]?.trim())
      if (missing.length > 0)
        throw new ConfigError(`missing setting: ${missing.join(', ')} (NODE_ENV is production${why})`)
    }
    if (publicUrl.protocol !== 'https:' && !isLocalHost(publicUrl.hostname))
      throw new ConfigError('wrong setting: PUBLIC_URL must start with https:// when NODE_ENV is production')
    if (s.PUSH_HOSTS.some((host) => host.startsWith('http:')))
      throw new ConfigError('wrong setting: PUSH_HOSTS cannot name http: when NODE_ENV is production')
    if (s.AUTH_AUTOCONFIRM)
      throw new ConfigError('wrong setting: AUTH_AUTOCONFIRM cannot be true when NODE_ENV is production')
  }
  const ADMIN_SECOND_FACTOR = s.ADMIN_SECOND_FACTOR ?? (production ? 'required' : 'optional')
  return { ...s, ADMIN_SECOND_FACTOR, PUBLIC_URL: publicUrl.origin, DATA_DIR: resolve(s.DATA_DIR), production }
}

/** Returns the version of PlateNote that runs. */
export function readVersion(): string {
  const file = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')
  return (JSON.parse(file) as { version: string }).version
}
