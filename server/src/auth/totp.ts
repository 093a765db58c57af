import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

// One-time codes of authenticator apps: RFC 6238 with the parameters every app knows (HMAC-SHA-1, 6 digits, 30 s).

const STEP_S = 30
const DIGITS = 6
const SECRET_BYTES = 20
/** How many steps a clock may differ, either way (RFC 6238 §5.2). */
const MAX_DRIFT_STEPS = 1

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const BITS_PER_CHARACTER = 5

/** Encodes bytes in base32 (RFC 4648 §6) without padding; the number of bytes is a multiple of five. */
function encodeBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{5}/g) ?? []).map((five) => BASE32[Number.parseInt(five, 2)]).join('')
}

function decodeBase32(text: string): Buffer {
  const bits = [...text].map((c) => BASE32.indexOf(c).toString(2).padStart(BITS_PER_CHARACTER, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)))
}

/** Generates a secret in base32, as people type it when they cannot scan the QR code. */
export const generateTotpSecret = (): string => encodeBase32(randomBytes(SECRET_BYTES))

/** Returns the address that authenticator apps read from a QR code. */
export function totpUri(secret: string, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  const parameters = new URLSearchParams({
    secret,
    issuer,
    algorithm: 'SHA1',
    digits: String(DIGITS),
    period: String(STEP_S),
  })
  // apps read '+' as a plus sign
  return `otpauth://totp/${label}?${parameters.toString().replaceAll('+', '%20')}`
}

/** Returns the code of a step: the number of 30 s since 1970. */
export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', decodeBase32(secret)).update(counter).digest()
  const truncated = mac.readUInt32BE(mac[mac.length - 1]! & 0xf) & 0x7f_ff_ff_ff
  return String(truncated % 10 ** DIGITS).padStart(DIGITS, '0')
}

/** Returns the step of a moment in Unix seconds. */
export const totpStep = (nowS: number): number => Math.floor(nowS / STEP_S)

/**
 * Returns the step a code belongs to, or null when it is wrong. A code is good once: neither it nor an older one is
 * accepted again.
 *
 * @param lastStep the step whose code was used last
 */
export function verifyTotp(secret: string, code: string, nowS: number, lastStep: number | null): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const given = Buffer.from(code)
  const now = totpStep(nowS)
  for (let step = now - MAX_DRIFT_STEPS; step <= now + MAX_DRIFT_STEPS; step++) {
    const isUnused = lastStep === null || step > lastStep
    if (isUnused && timingSafeEqual(Buffer.from(totpCode(secret, step)), given)) return step
  }
  return null
}
