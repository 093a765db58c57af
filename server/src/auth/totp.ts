// One-time codes of authenticator apps: RFC 6238 with the parameters every app knows (HMAC-SHA-1, 6 digits, 30 s), which are the
// library's own. It is loaded with the first second step of this kind: few people use one.
const loadLibrary = () => import('otpauth')

const SECRET_BYTES = 20
/** How many steps a clock may differ, either way (RFC 6238 §5.2). */
const MAX_DRIFT_STEPS = 1

/** Generates a secret in base32, as people type it when they cannot scan the QR code. */
export async function generateTotpSecret(): Promise<string> {
  const { Secret } = await loadLibrary()
  return new Secret({ size: SECRET_BYTES }).base32
}

/** Returns the address that authenticator apps read from a QR code. */
export async function totpUri(secret: string, issuer: string, account: string): Promise<string> {
  const { TOTP } = await loadLibrary()
  return new TOTP({ secret, issuer, label: account }).toString()
}

/**
 * Returns the step a code belongs to, the number of 30 s since 1970, or null when it is wrong. A code is good once: neither it nor
 * an older one is accepted again.
 *
 * @param lastStep the step whose code was used last
 */
export async function verifyTotp(
  secret: string,
  code: string,
  nowS: number,
  lastStep: number | null,
): Promise<number | null> {
  if (!/^\d{6}$/.test(code)) return null
  const { TOTP } = await loadLibrary()
  const totp = new TOTP({ secret })
  const timestamp = nowS * 1000
  const drift = totp.validate({ token: code, timestamp, window: MAX_DRIFT_STEPS })
  if (drift === null) return null
  const step = totp.counter({ timestamp }) + drift
  return lastStep === null || step > lastStep ? step : null
}
