import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

// A software authenticator for tests: what a security key does (WebAuthn §6), with ES256 and attestation 'none'.

const cbor = (value: Parameters<typeof isoCBOR.encode>[0]) => Buffer.from(isoCBOR.encode(value))

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

const USER_PRESENT = 0x01
const ATTESTED_CREDENTIAL = 0x40

/** The flags and the counter, in the form of WebAuthn §6.1. */
function authenticatorData(rpId: string, flags: number, counter: number, credential = Buffer.alloc(0)): Buffer {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  return Buffer.concat([sha256(rpId), Buffer.of(flags), count, credential])
}

/** The public key in COSE's form (RFC 9053 §7.1). */
function coseKey(key: KeyObject): Buffer {
  const { x, y } = key.export({ format: 'jwk' })
  const coordinate = (text: string | undefined) => Buffer.from(text ?? '', 'base64url')
  return cbor(
    new Map<number, number | Buffer>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, coordinate(x)],
      [-3, coordinate(y)],
    ]),
  )
}

type Ceremony = { challenge: ArrayBuffer | Uint8Array; origin: string; rpId: string }

const toBuffer = (bytes: ArrayBuffer | Uint8Array) =>
  Buffer.from(bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes))

const clientData = (type: 'webauthn.create' | 'webauthn.get', { challenge, origin }: Ceremony) =>
  Buffer.from(
    JSON.stringify({ type, challenge: toBuffer(challenge).toString('base64url'), origin, crossOrigin: false }),
  )

/** Creates an authenticator with one credential. `counter` is what it says next, as a copy of it would repeat. */
export function createAuthenticator() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credentialId = randomBytes(32)
  const id = credentialId.toString('base64url')
  const key = {
    counter: 0,
    id,
    /** Returns what `navigator.credentials.create` would, with its bytes as browsers have them. */
    create(ceremony: Ceremony) {
      const idLength = Buffer.of(credentialId.length >> 8, credentialId.length & 255)
      const credential = Buffer.concat([Buffer.alloc(16), idLength, credentialId, coseKey(publicKey)])
      const authData = authenticatorData(ceremony.rpId, USER_PRESENT | ATTESTED_CREDENTIAL, ++key.counter, credential)
      const attestationObject = cbor(
        new Map<string, string | Buffer | Map<string, string>>([
          ['fmt', 'none'],
          ['attStmt', new Map<string, string>()],
          ['authData', authData],
        ]),
      )
      return toCredential(id, { attestationObject, clientDataJSON: clientData('webauthn.create', ceremony) })
    },
    /** Returns what `navigator.credentials.get` would. */
    get(ceremony: Ceremony) {
      const authenticatorDataBytes = authenticatorData(ceremony.rpId, USER_PRESENT, ++key.counter)
      const clientDataJSON = clientData('webauthn.get', ceremony)
      const signature = sign('sha256', Buffer.concat([authenticatorDataBytes, sha256(clientDataJSON)]), privateKey)
      return toCredential(id, {
        authenticatorData: authenticatorDataBytes,
        clientDataJSON,
        signature,
        userHandle: null,
      })
    },
  }
  return key
}

/** A `PublicKeyCredential` as far as auth-js reads it; it has no `toJSON`, as in browsers before 2025. */
const toCredential = <T extends object>(id: string, response: T) => ({
  id,
  rawId: Buffer.from(id, 'base64url'),
  type: 'public-key' as const,
  authenticatorAttachment: 'cross-platform' as const,
  getClientExtensionResults: () => ({}),
  response,
})
