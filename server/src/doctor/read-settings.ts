import { type Config, ConfigError, loadConfig, SETTING_NAMES } from '../config.ts'

type Environment = Record<string, string | undefined>

type ReadSettings = {
  config: Config
  /** Why the product would not start with these settings; null: it would. */
  problem: string | null
  /** The settings the problem is about: what depends on them cannot be checked. */
  unusable: Set<string>
}

/** Returns the settings that a message names. NODE_ENV is named as a reason, unless it is wrong itself; then it has no value to use. */
const namedSettings = (message: string) =>
  [...message.matchAll(/\b[A-Z][A-Z0-9_]+\b/g)].map(([name]) => name).filter((name) => SETTING_NAMES.includes(name))

/**
 * Reads the settings as the product does. Where it would refuse them, what is wrong or missing is left out, so that a mistake in
 * one setting does not hide what else is wrong.
 */
export function readSettings(env: Environment): ReadSettings {
  try {
    return { config: loadConfig(env), problem: null, unusable: new Set() }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const unusable = new Set(namedSettings(error.message).filter((name) => name !== 'NODE_ENV'))
    return { config: loadRest(env, unusable), problem: error.message, unusable }
  }
}

/** Loads what is left without the settings that are unusable, and adds to them what else stands in the way. */
function loadRest(env: Environment, unusable: Set<string>): Config {
  const production = env['NODE_ENV'] === 'production'
  const rest: Environment = {
    ...env,
    // what production must have is missing, and said already; a password still goes to no other machine in clear
    NODE_ENV: 'development',
    ...(production && { DATABASE_TLS: env['DATABASE_TLS'] || 'required' }),
  }
  for (;;) {
    for (const name of unusable) delete rest[name]
    try {
      return { ...loadConfig(rest), production }
    } catch (error) {
      const more = namedSettings((error as Error).message).filter((name) => rest[name] !== undefined)
      if (!(error instanceof ConfigError) || more.length === 0) throw error
      for (const name of more) unusable.add(name)
    }
  }
}

/** Shorter ones would hide parts of ordinary words; settings refuse them where length matters. */
const MIN_LENGTH = 4
const SECRET_NAME = /KEY|SECRET|PASSWORD|TOKEN/
const PUBLIC_NAMES = new Set(['VAPID_PUBLIC_KEY'])

/** Returns the parts of a URL that open something: some mail services take one secret as the name and the password. */
function secretsOfUrl(text: string): string[] {
  if (!URL.canParse(text)) return [text]
  const { username, password, protocol } = new URL(text)
  const isMail = protocol.startsWith('smtp')
  return [password, ...(isMail ? [username] : [])].flatMap((part) => [part, decode(part)])
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/**
 * Returns a function that takes every secret of the settings out of a text. Nothing that is printed should have one; this holds
 * even where a library's words are passed on.
 */
export function createSecretFilter(env: Record<string, string | undefined>): (text: string) => string {
  const secrets = Object.entries(env).flatMap(([name, value = '']) => {
    if (name.endsWith('_URL')) return secretsOfUrl(value)
    return SECRET_NAME.test(name) && !PUBLIC_NAMES.has(name) ? value.split(',').map((part) => part.trim()) : []
  })
  const hidden = [...new Set(secrets)].filter((secret) => secret.length >= MIN_LENGTH)
  // a longer one may contain a shorter one
  hidden.sort((a, b) => b.length - a.length)
  return (text) => hidden.reduce((rest, secret) => rest.replaceAll(secret, '•••'), text)
}
