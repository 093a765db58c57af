import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as contract from '#contract/sanctions.ts'
import type { AppContext } from '../context.ts'
import { newId } from '../db/ids.ts'
import { inTransaction } from '../db/transaction.ts'
import type { DecryptContext } from '../encryption/decrypt-for-display.ts'
import { hashSecret } from '../encryption/secrets.ts'
import type { Actor } from '../http/actor.ts'
import { decryptContextFor } from '../http/decrypt-context.ts'
import { publicRoute } from '../http/route.ts'
import { refuse } from '../refusal.ts'
import {
  findOwnSanction,
  findSanctionIdByAccount,
  findSanctionIdByToken,
  insertAppeal,
  lockSanction,
  type OwnSanctionRow,
} from './queries.ts'
import { encryptSanctionText, showSanctionText } from './sanction-encryption.ts'

/** Who asks: by an emailed link, or signed in. */
type Appellant = { token: string } | { actor: Actor }

/** Refuses with `appeal_link_invalid` whatever is not a link we sent, and with `nothing_to_appeal` who has no sanction. */
async function findSanctionId({ db }: Pick<AppContext, 'db'>, appellant: Appellant): Promise<string> {
  if ('token' in appellant)
    return (await findSanctionIdByToken(db, hashSecret(appellant.token))) ?? refuse('appeal_link_invalid')
  return (await findSanctionIdByAccount(db, appellant.actor.id)) ?? refuse('nothing_to_appeal')
}

function appealState({ appeal_id, upheld, late }: OwnSanctionRow): contract.OwnSanction['appeal'] {
  if (appeal_id === null) return late ? 'late' : 'open'
  return upheld === null ? 'made' : upheld ? 'kept' : 'lifted'
}

/**
 * Returns the sanction that an emailed link is about, or that `findSanctionIdByAccount` finds for the signed-in person.
 *
 * Refuses with `appeal_link_invalid` and `nothing_to_appeal`.
 */
async function getOwnSanction(
  context: Pick<AppContext, 'db'>,
  decryptContext: DecryptContext,
  appellant: Appellant,
): Promise<contract.OwnSanction> {
  const id = await findSanctionId(context, appellant)
  const row = (await findOwnSanction(context.db, id)) ?? refuse('nothing_to_appeal')
  const { kind, reason_encrypted, created_at, ends_at, in_force, appealable_until } = row
  const reason = showSanctionText(decryptContext, 'reason', id, reason_encrypted)
  return { kind, reason, created_at, ends_at, in_force, appealable_until, appeal: appealState(row) }
}

/**
 * Appeals a sanction (decision sanctions-and-appeals). Returns after the commit.
 *
 * Refuses with `appeal_link_invalid`, `nothing_to_appeal`, `already_appealed`, `appeal_too_late`.
 *
 * @returns the appeal's id
 */
async function makeAppeal(
  context: Pick<AppContext, 'db' | 'keyring'>,
  appellant: Appellant,
  text: string,
): Promise<string> {
  const { db, keyring } = context
  const sanctionId = await findSanctionId(context, appellant)
  return inTransaction(db, async (tx) => {
    await lockSanction(tx, sanctionId)
    const sanction = (await findOwnSanction(tx, sanctionId)) ?? refuse('nothing_to_appeal')
    if (sanction.appeal_id !== null) refuse('already_appealed')
    if (sanction.late) refuse('appeal_too_late')
    const id = newId()
    const stored = await insertAppeal(tx, id, sanctionId, encryptSanctionText(keyring, 'appeal', id, text))
    return stored ? id : refuse('already_appealed')
  })
}

/** Registers appeals (decision sanctions-and-appeals): for the person, by an emailed link or signed in. */
export function sanctionRoutes(app: FastifyInstance, context: AppContext) {
  const findAppellant = async (token: string | undefined, request: FastifyRequest): Promise<Appellant> =>
    token === undefined ? { actor: await app.authenticate(request, { admitSuspended: true }) } : { token }

  publicRoute(app, contract.getOwnSanction, async ({ token }, { request }) =>
    getOwnSanction(context, decryptContextFor(context, request), await findAppellant(token, request)),
  )
  publicRoute(app, contract.makeAppeal, async ({ token, text }, { request }) => ({
    id: await makeAppeal(context, await findAppellant(token, request), text),
  }))
}
