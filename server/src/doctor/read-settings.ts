import { type Config, ConfigError, loadConfig, SETTING_NAMES } from '../config.ts'

type Environment = Record<string, string | undefined>

export type ReadSettings = {
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
