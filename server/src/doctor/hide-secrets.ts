/** Shorter ones would hide parts of ordinary words; settings refuse them where length matters. */
const MIN_LENGTH = 4
const SECRET_NAME = /KEY|SECRET|PASSWORD|TOKEN/

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
    return SECRET_NAME.test(name) ? value.split(',').map((part) => part.trim()) : []
  })
  const hidden = [...new Set(secrets)].filter((secret) => secret.length >= MIN_LENGTH)
  // a longer one may contain a shorter one
  hidden.sort((a, b) => b.length - a.length)
  return (text) => hidden.reduce((rest, secret) => rest.replaceAll(secret, '•••'), text)
}
