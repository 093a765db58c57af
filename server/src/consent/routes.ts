import type { FastifyInstance } from 'fastify'
import type { Consent } from '#contract/consent.ts'
import * as contract from '#contract/consent.ts'
import { TERMS_VERSION } from '#contract/terms.ts'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/pool.ts'
import { userRoute } from '../http/route.ts'
import { requestLocale } from '../locale.ts'
import { refuse } from '../refusal.ts'
import { listConsents, recordConsent } from './queries.ts'

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
