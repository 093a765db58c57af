import { PRODUCT } from '#contract/product.ts'
import type { PublicHandler } from './handlers.ts'

const OTHER_PROVIDERS =
  `anonymous_users apple azure bitbucket discord facebook figma fly github gitlab google kakao keycloak
  linkedin linkedin_oidc notion slack slack_oidc snapchat spotify twitch twitter workos x zoom`.split(/\s+/)

/** Handles `GET /settings`: which ways of signing up there are. */
export const getSettings: PublicHandler = async ({ config }) => ({
  external: { ...Object.fromEntries(OTHER_PROVIDERS.map((name) => [name, false])), email: true, phone: false },
  disable_signup: false,
  mailer_autoconfirm: config.AUTH_AUTOCONFIRM,
  phone_autoconfirm: false,
  sms_provider: '',
  saml_enabled: false,
  saml_private_key_next_configured: false,
  passkeys_enabled: false,
})

/** Handles `GET /health`. */
export const getHealth: PublicHandler = async () => ({
  version: '1',
  name: 'GoTrue',
  description: `The accounts of ${PRODUCT}`,
})

/**
 * Handles `GET /.well-known/jwks.json`: no keys, as the signing key is a shared secret; clients then call `GET /user`.
 */
export const getJwks: PublicHandler = async (_, __, reply) =>
  reply.header('cache-control', 'public, max-age=600').send({ keys: [] })
