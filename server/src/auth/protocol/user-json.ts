import type * as z from 'zod/mini'
import type { Locale } from '#contract/product.ts'
import { shownAddress } from '../../email/shown-address.ts'
import { getMailLocale } from '../../preferences/queries.ts'
import type { AuthContext } from '../context.ts'
import { type FactorRow, findSessionFactor, listFactors } from '../factor-queries.ts'
import type { IssuedSession } from '../sessions.ts'
import { ACCESS_TOKEN_S, type Amr, signAccessToken } from '../tokens.ts'
import type { UserRow } from '../user-queries.ts'
import type { Session, User } from './shapes.ts'

const APP_METADATA = { provider: 'email', providers: ['email'] }

/**
 * Converts a user to the protocol's form (auth-protocol §1.0), field by field, so that no stored secret gets out.
 *
 * @param locale the account's language, which pages follow (decision two-languages); left out where nobody is signed in
 */
export function toUserJson(user: UserRow, factors: FactorRow[] = [], locale?: Locale): z.infer<typeof User> {
  const verified = user.email_confirmed_at !== null
  const serverFields = { sub: user.id, email: user.email, email_verified: verified, phone_verified: false }
  const metadata = { ...user.user_metadata, ...serverFields }
  const shown = shownAddress(user.email)
  return {
    id: user.id,
    aud: 'authenticated',
    role: 'authenticated',
    email: user.email,
    ...(user.email_confirmed_at && {
      email_confirmed_at: user.email_confirmed_at,
      confirmed_at: user.email_confirmed_at,
    }),
    phone: '',
    ...(user.confirmation_sent_at && { confirmation_sent_at: user.confirmation_sent_at }),
    ...(user.recovery_sent_at && { recovery_sent_at: user.recovery_sent_at }),
    ...(user.last_sign_in_at && { last_sign_in_at: user.last_sign_in_at }),
    app_metadata: {
      ...APP_METADATA,
      // of an account that is not confirmed each sign-up has its own, so that this says nothing about earlier ones
      has_password: user.encrypted_password !== null,
      ...(locale && { locale }),
      ...(shown !== user.email && { shown_email: shown }),
    },
    // is_admin is a column (decision server-authorization); here it is only shown, and only when it is true
    user_metadata: { ...metadata, ...(user.is_admin && { is_admin: true }) },
    ...(factors.length > 0 && { factors: factors.map(toFactorJson) }),
    identities: [
      {
        // the one email identity is the account itself
        identity_id: user.id,
        id: user.id,
        user_id: user.id,
        identity_data: metadata,
        provider: 'email',
        last_sign_in_at: user.last_sign_in_at ?? user.created_at,
        created_at: user.created_at,
        updated_at: user.updated_at,
        email: user.email,
      },
    ],
    created_at: user.created_at,
    updated_at: user.updated_at,
    is_anonymous: false,
  }
}

/** Converts a factor to the protocol's form, without what verifies it. */
const toFactorJson = (factor: FactorRow): NonNullable<z.infer<typeof User>['factors']>[number] => ({
  id: factor.id,
  created_at: factor.created_at,
  updated_at: factor.updated_at,
  status: factor.verified_at === null ? 'unverified' : 'verified',
  friendly_name: factor.friendly_name,
  factor_type: factor.factor_type,
  ...(factor.last_challenged_at && { last_challenged_at: factor.last_challenged_at }),
})

/** Reads a user's factors and language, and converts all to the protocol's form. */
export const loadUserJson = async ({ db }: Pick<AuthContext, 'db'>, user: UserRow) => {
  const [factors, locale] = await Promise.all([listFactors(db, user.id), getMailLocale(db, user.id)])
  return toUserJson(user, factors, locale)
}

/** The protocol's names for how a second factor was verified. */
const AMR_METHODS = { totp: 'totp', webauthn: 'mfa/webauthn' } as const

/** Converts a session to the protocol's form; `expires_at` is in Unix seconds. */
export async function toSessionJson(
  { keys, config, db }: Pick<AuthContext, 'keys' | 'config' | 'db'>,
  { id, amr, generation, refreshToken, user }: IssuedSession,
): Promise<z.infer<typeof Session>> {
  const [publicUser, factor] = await Promise.all([loadUserJson({ db }, user), findSessionFactor(db, id)])
  const factorAmr: Amr = factor
    ? [{ method: AMR_METHODS[factor.factor_type], timestamp: Math.floor(factor.verified_at_s) }]
    : []
  const now = Math.floor(Date.now() / 1000)
  const expiresAt = now + ACCESS_TOKEN_S
  const accessToken = signAccessToken(keys, {
    iss: `${config.PUBLIC_URL}/auth/v1`,
    sub: user.id,
    aud: 'authenticated',
    exp: expiresAt,
    iat: now,
    email: user.email,
    phone: '',
    app_metadata: publicUser.app_metadata,
    user_metadata: publicUser.user_metadata,
    role: 'authenticated',
    aal: factor ? 'aal2' : 'aal1',
    amr: [...factorAmr, ...amr],
    session_id: id,
    generation,
    is_anonymous: false,
  })
  return {
    access_token: accessToken,
    token_type: 'bearer',
    expires_in: ACCESS_TOKEN_S,
    expires_at: expiresAt,
    refresh_token: refreshToken,
    user: publicUser,
  }
}
