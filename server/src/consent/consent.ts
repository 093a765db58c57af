import type { FastifyInstance } from 'fastify'
import type { Consent } from '#contract/consent.ts'
import * as contract from '#contract/consent.ts'
import type { Locale } from '#contract/product.ts'
import { TERMS_VERSION } from '#contract/terms.ts'
import type { AppContext } from '../context.ts'
import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'
import { userRoute } from '../http/route.ts'
import { requestLocale } from '../locale.ts'
import { refuse } from '../refusal.ts'

/**
 * Registers the calls by which the app asks for consent. Nothing else is refused without it: other software keeps working,
 * and the person is asked when they open the app (decision terms-consent).
 */
export function consentRoutes(app: FastifyInstance, { db }: AppContext) {
  userRoute(app, contract.getConsent, (_, { id }) => readConsent(db, id))
  userRoute(app, contract.giveConsent, async ({ version }, { id }, { request }) => {
    // a page that was opened before the terms changed shows the earlier ones
    if (version !== TERMS_VERSION) refuse('terms_changed')
    await recordConsent(db, id, { version, locale: requestLocale(request) })
    return readConsent(db, id)
  })
}

async function readConsent(db: Db, userId: string): Promise<Consent> {
  const [latest] = await listConsents(db, userId)
  return {
    current_version: TERMS_VERSION,
    given: latest ? { version: latest.version, locale: latest.locale, at: latest.given_at } : null,
  }
}

/** Somebody's consent to a version of the terms, with the statement that they are old enough. */
type ConsentRow = { version: string; locale: Locale; given_at: string }

/** Records a consent; one to the same version stays as it was. Does nothing when the account is gone. */
export const recordConsent = async (
  db: Db,
  userId: string,
  { version, locale, given_at }: Omit<ConsentRow, 'given_at'> & { given_at?: string },
): Promise<void> => {
  await db`
    insert into consents (id, user_id, version, locale, age_ok, given_at)
    select ${newId()}, id, ${version}, ${locale}, true, coalesce(${given_at ?? null}::timestamptz, now())
    from auth.users where id = ${userId} for key share
    on conflict (user_id, version) do nothing`
}

/** Lists what somebody agreed to, the latest first. */
export const listConsents = (db: Db, userId: string) =>
  db<(ConsentRow & { age_ok: boolean })[]>`
    select version, locale, age_ok, given_at from consents where user_id = ${userId} order by given_at desc`
