import { localizedPath, paths } from '#contract/paths.ts'
import type { Locale } from '#contract/product.ts'
import { vehicleCan } from '#contract/vehicles.ts'
import type { AppContext } from '../context.ts'
import { newId } from '../db/ids.ts'
import { personLimitKey } from '../limits/canonical-address.ts'
import { enforceLimit } from '../limits/enforce-limit.ts'
import { refuse } from '../refusal.ts'
import { formatCode, generateCode, generateLinkCode, hashCode, hashInvitee } from './invitation-code.ts'
import { findOwnStatus, insertInvitation } from './invitation-queries.ts'

const CODE_VALID_FOR = '15 minutes'
const LINK_VALID_FOR = '7 days'

/**
 * Invites a driver (decision vehicle-people): with a code to read from the owner's screen, or with a link that works for one address.
 * Nothing is looked up by the address, and nothing is sent to it: the owner passes the link on.
 *
 * Refuses with `not_found`, `vehicle_not_active`, `too_many_requests`.
 */
export async function inviteDriver(
  { db, config, keyring }: Pick<AppContext, 'db' | 'config' | 'keyring'>,
  owner: { id: string; personHash: Buffer },
  vehicleId: string,
  { email, locale }: { email: string | undefined; locale: Locale },
) {
  const status = (await findOwnStatus(db, vehicleId, owner.id)) ?? refuse('not_found')
  if (!vehicleCan('receiveMessage', { status })) refuse('vehicle_not_active')
  await enforceLimit(db, config, 'invitationsPerDay', personLimitKey(keyring, 'invite', owner.personHash))
  const id = newId()
  const code = email === undefined ? generateCode() : generateLinkCode()
  const expires_at = await insertInvitation(db, {
    id,
    vehicleId,
    codeHash: hashCode(keyring, code),
    inviteeHash: email === undefined ? null : hashInvitee(keyring, id, email),
    validFor: email === undefined ? CODE_VALID_FOR : LINK_VALID_FOR,
  })
  return { id, code: formatCode(code), url: config.PUBLIC_URL + localizedPath(paths.invite(code), locale), expires_at }
}
