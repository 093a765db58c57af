import { paths } from '#contract/paths.ts'
import type { Config } from '../config.ts'
import type { Keyring } from '../encryption/envelope-encryption.ts'
import { createToken, idAt, idsToBytes, readToken } from '../encryption/signed-ids.ts'

/**
 * Builds the address where a person turns emails about new messages off without a session. It contains the account's id and a
 * keyed hash of it, and is valid as long as the account, also after the master key was changed. Its holder can turn these
 * emails off, and nothing else.
 */
export const buildUnsubscribeUrl = (
  keyring: Keyring,
  { PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>,
  userId: string,
): string => PUBLIC_URL + paths.unsubscribe(createToken(keyring, 'unsubscribe', idsToBytes(userId)))

/** Returns the account a token is for; null when this server did not make it. */
export function verifyUnsubscribeToken(keyring: Keyring, token: string): string | null {
  const content = readToken(keyring, 'unsubscribe', token)
  return content && idAt(content, 0)
}
