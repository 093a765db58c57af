import type { Factor } from '@supabase/auth-js'
import { PRODUCT } from '#contract/product.ts'
import { AuthFailure, authRequest } from '~/auth/auth-request'
import type { FactorClient } from '~/auth/factors'
import { m } from '~/paraglide/messages'

/*
 * Enrols, verifies and removes second factors through auth-js. Only the browser's own dialog for passkeys is opened here,
 * because auth-js would ask for security keys alone.
 */

/** Returns a name that none of the factors has yet: 'Passkey', 'Passkey 2' … */
export function unusedName(wanted: string, factors: Factor[]): string {
  const taken = new Set(factors.map(({ friendly_name }) => friendly_name))
  for (let n = 1; ; n++) {
    const name = n === 1 ? wanted : `${wanted} ${n}`
    if (!taken.has(name)) return name
  }
}

/** Verifies the session with the code of an authenticator app. */
export const verifyCode = (factorId: string, code: string, client?: FactorClient) =>
  authRequest<unknown>(m.factor_failed(), ({ auth }) =>
    (client ?? auth).mfa.challengeAndVerify({ factorId, code: code.replace(/\D/g, '') }),
  )

/** Verifies the session with a passkey, which is created first when the factor has none yet. */
export async function verifyPasskey(factorId: string, client?: FactorClient): Promise<void> {
  const site = { rpId: location.hostname, rpOrigins: [location.origin] }
  const { id: challengeId, webauthn } = await authRequest(m.factor_failed(), async ({ auth }) => {
    const { data, error } = await (client ?? auth).mfa.challenge({ factorId, webauthn: site })
    return { data, error }
  })
  const credential = await (webauthn.type === 'create'
    ? navigator.credentials.create(webauthn.credential_options as CredentialCreationOptions)
    : navigator.credentials.get(webauthn.credential_options as CredentialRequestOptions)
  ).catch(throwPasskeyFailure)
  const response = { ...site, type: webauthn.type, credential_response: credential as never }
  await authRequest<unknown>(m.factor_failed(), ({ auth }) =>
    (client ?? auth).mfa.verify({ factorId, challengeId, webauthn: response }),
  )
}

/**
 * Throws what to show for an error of the passkey dialog. The browser does not say whether somebody cancelled, took too long,
 * or has no such passkey here (WebAuthn §14.5).
 */
function throwPasskeyFailure(error: unknown): never {
  const isKnown = error instanceof DOMException && error.name === 'InvalidStateError'
  throw new AuthFailure(isKnown ? m.factor_passkey_known() : m.factor_passkey_cancelled(), { code: 'passkey' })
}

/** What an authenticator app is set up with. */
export type AppEnrolment = { id: string; qrCode: string; secret: string }

/** Begins the enrolment of an authenticator app; `verifyCode` ends it. */
export const enrolApp = (friendlyName: string): Promise<AppEnrolment> =>
  authRequest(m.factor_failed(), async ({ auth }) => {
    const { data, error } = await auth.mfa.enroll({ factorType: 'totp', friendlyName, issuer: PRODUCT })
    return { data: { id: data?.id ?? '', qrCode: data?.totp.qr_code ?? '', secret: data?.totp.secret ?? '' }, error }
  })

/** Creates a passkey in this browser and enrols it. */
export async function enrolPasskey(friendlyName: string): Promise<void> {
  const { id } = await authRequest(m.factor_failed(), ({ auth }) =>
    auth.mfa.enroll({ factorType: 'webauthn', friendlyName }),
  )
  await verifyPasskey(id)
}

/** Removes a factor; the session is renewed, because it may no longer count as verified. */
export const removeFactor = (factorId: string) =>
  authRequest(m.factor_failed(), async ({ auth, renewToken }) => {
    const { error } = await auth.mfa.unenroll({ factorId })
    if (!error) await renewToken()
    return { data: null, error }
  })
