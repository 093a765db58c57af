import type { Session } from '@supabase/auth-js'
import { SECOND_MS } from '#contract/time.ts'

/** A session with less left than this is renewed before it is used (requirements §9), by auth-js too. */
export const RENEW_BEFORE_MS = 90 * SECOND_MS

/** Returns the milliseconds until the access token expires; negative afterwards. */
export const msUntilExpiry = ({ expires_at = 0 }: Pick<Session, 'expires_at'>): number =>
  expires_at * SECOND_MS - Date.now()
