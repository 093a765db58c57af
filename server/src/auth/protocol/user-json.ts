import type { AuthContext } from '../context.ts'
import type { IssuedSession } from '../create-session.ts'
import { ACCESS_TOKEN_S, signAccessToken } from '../tokens.ts'
import type { UserRow } from '../user-queries.ts'

const APP_METADATA = { provider: 'email', providers: ['email'] }

/** Converts a user to the protocol's form (auth-protocol §1.0), field by field, so that no stored secret gets out. */
export function toUserJson(user: UserRow) {
  const verified = user.email_confirmed_at !== null
  const serverFields = { sub: user.id, email: user.email, email_verified: verified, phone_verified: false }
  const metadata = { ...user.user_metadata, ...serverFields }
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
    app_metadata: APP_METADATA,
    // is_admin is a column (decision 0053); here it is only shown, and only when it is true
    user_metadata: { ...metadata, ...(user.is_admin && { is_admin: true }) },
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
    ...(user.banned_until && { banned_until: user.banned_until }),
    is_anonymous: false,
  }
}

/** Converts a session to the protocol's form; `expires_at` is in Unix seconds. */
export function toSessionJson(
  { keys, config }: Pick<AuthContext, 'keys' | 'config'>,
  { id, amr, refreshToken, user }: IssuedSession,
) {
  const publicUser = toUserJson(user)
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
    app_metadata: APP_METADATA,
    user_metadata: publicUser.user_metadata,
    role: 'authenticated',
    aal: 'aal1',
    amr,
    session_id: id,
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
