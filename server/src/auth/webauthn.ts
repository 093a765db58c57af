import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { PRODUCT } from '#contract/product.ts'
import type { Config } from '../config.ts'
import { shownAddress } from '../email/shown-address.ts'
import { MINUTE_MS } from '../time.ts'
import type { UserRow } from './user-queries.ts'

/** A passkey as it is stored; everything binary is base64url, as in WebAuthn's JSON. */
export type Passkey = { credential_id: string; public_key: string; sign_count: number; transports: string[] }

/** EdDSA, ES256 and RS256, which authenticators have. */
const ALGORITHMS = [-8, -7, -257]

/** How long the browser lets the person take. */
const CEREMONY_TIMEOUT_MS = 2 * MINUTE_MS

/** Loads the library, which reads certificates of every kind and is of no use to a server without passkeys. */
const loadLibrary = () => import('@simplewebauthn/server')

/** The relying party (WebAuthn §4): the host of our pages. */
const relyingPartyId = ({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>) => new URL(PUBLIC_URL).hostname

/**
 * Returns what a browser creates a passkey with. It is a second factor, after a password: whether the authenticator also
 * asks for a finger or a PIN is its own affair, and so is where the passkey is kept.
 *
 * @param registered the person's passkeys, so that no authenticator is enrolled twice
 */
export async function creationOptions(
  config: Pick<Config, 'PUBLIC_URL'>,
  user: Pick<UserRow, 'id' | 'email' | 'user_metadata'>,
  registered: Pick<Passkey, 'credential_id' | 'transports'>[],
) {
  const { generateRegistrationOptions } = await loadLibrary()
  const fullName = user.user_metadata['full_name']
  const address = shownAddress(user.email)
  return generateRegistrationOptions({
    rpName: PRODUCT,
    rpID: relyingPartyId(config),
    userID: new Uint8Array(Buffer.from(user.id.replaceAll('-', ''), 'hex')),
    userName: address,
    userDisplayName: typeof fullName === 'string' && fullName !== '' ? fullName : address,
    timeout: CEREMONY_TIMEOUT_MS,
    attestationType: 'none',
    excludeCredentials: registered.map(toDescriptor),
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
    supportedAlgorithmIDs: ALGORITHMS,
  })
}

/** Returns what a browser asks for the signature of one of these passkeys with. */
export async function requestOptions(
  config: Pick<Config, 'PUBLIC_URL'>,
  passkeys: Pick<Passkey, 'credential_id' | 'transports'>[],
) {
  const { generateAuthenticationOptions } = await loadLibrary()
  return generateAuthenticationOptions({
    rpID: relyingPartyId(config),
    timeout: CEREMONY_TIMEOUT_MS,
    allowCredentials: passkeys.map(toDescriptor),
    userVerification: 'preferred',
  })
}

const toDescriptor = ({ credential_id, transports }: Pick<Passkey, 'credential_id' | 'transports'>) => ({
  id: credential_id,
  transports,
})

/** What a response has to be for; it is a second factor, so that the person need not have been verified. */
const expectedOf = ({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>, challenge: string) => ({
  expectedChallenge: challenge,
  expectedOrigin: PUBLIC_URL,
  expectedRPID: relyingPartyId({ PUBLIC_URL }),
  requireUserVerification: false,
})

/** Verifies a new passkey. Returns null when it answers another challenge, another site, or is not sound. */
export async function verifyCreation(
  config: Pick<Config, 'PUBLIC_URL'>,
  challenge: string,
  response: RegistrationResponseJSON,
): Promise<Passkey | null> {
  const { verifyRegistrationResponse } = await loadLibrary()
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      ...expectedOf(config, challenge),
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (!registrationInfo) return null
    const { credential } = registrationInfo
    return {
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey).toString('base64url'),
      sign_count: credential.counter,
      transports: credential.transports ?? [],
    }
  } catch {
    return null // whatever is wrong with it: the library says so by throwing
  }
}

/**
 * Verifies the signature of a passkey. Returns its new counter, or null when it answers another challenge or another
 * site, is another passkey's, or the counter went back, as that of a copied authenticator does.
 */
export async function verifyRequest(
  config: Pick<Config, 'PUBLIC_URL'>,
  challenge: string,
  response: AuthenticationResponseJSON,
  passkey: Passkey,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await loadLibrary()
  if (response.id !== passkey.credential_id) return null
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      ...expectedOf(config, challenge),
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
        counter: passkey.sign_count,
        transports: passkey.transports,
      },
    })
    return verified ? authenticationInfo.newCounter : null
  } catch {
    return null
  }
}
