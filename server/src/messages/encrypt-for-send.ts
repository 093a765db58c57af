import type { Province } from '#contract/provinces.ts'
import { decryptUnsentLink } from '../attachments/image-link.ts'
import { findUnsentLinks } from '../attachments/queries.ts'
import type { CollisionDetails } from '../collisions/details.ts'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/pool.ts'
import { encryptContent, encryptPerson } from './message-encryption.ts'
import type { IdentifiedSender } from './send-limits.ts'
import type { PendingMessage } from './send-statement.ts'

/** A message before it is encrypted. */
export type Draft = Omit<PendingMessage, 'vehicleId' | 'encryptedContent' | 'encryptedPerson' | 'hasCollision'> &
  IdentifiedSender & { content: string; collision: CollisionDetails | null }

/**
 * Encrypts messages, with the links of their images, for the vehicles that have their plates at this moment.
 * The statement that sends them looks the plates up again, under its locks, and sends back what has changed hands meanwhile.
 */
export async function encryptForSend(
  context: Pick<AppContext, 'db' | 'keyring' | 'log'>,
  drafts: Draft[],
): Promise<PendingMessage[]> {
  const { db, keyring } = context
  const withImage = drafts.flatMap(({ attachmentId, senderId }) => (attachmentId ? [{ attachmentId, senderId }] : []))
  const [vehicleIds, links] = await Promise.all([
    findReachableVehicles(db, drafts),
    withImage.length === 0
      ? undefined
      : findUnsentLinks(
          db,
          withImage.map(({ attachmentId }) => attachmentId),
          withImage.map(({ senderId }) => senderId),
        ),
  ])
  return drafts.map(({ content, person, collision, ...draft }, i) => {
    const { id, senderId, attachmentId } = draft
    const vehicleId = vehicleIds[i] ?? null
    const link = attachmentId === null ? undefined : links?.get(attachmentId)
    const imageLink = link?.uploader_id === senderId ? decryptUnsentLink(context, link) : null
    return {
      ...draft,
      vehicleId,
      encryptedContent:
        vehicleId === null ? null : encryptContent(keyring, { id, vehicleId }, { text: content, imageLink, collision }),
      encryptedPerson: vehicleId === null ? null : encryptPerson(keyring, 'sender_person', { id, vehicleId }, person),
      hasCollision: collision !== null,
    }
  })
}

/**
 * Finds the vehicle that senders reach by each plate, in their order; one of them where the province is needed to choose. A plate that
 * reads the same is looked for where nobody has the plate itself.
 */
async function findReachableVehicles(
  db: Db,
  plates: { plateKey: string; province: Province | null }[],
): Promise<(string | null)[]> {
  const rows = await db<{ id: string | null }[]>`
    select coalesce(
      (select vehicle_id from vehicles_with_plate(i.plate_key, i.province, null)),
      (select vehicle_id from vehicles_with_look_alike(i.plate_key, i.province, null))
    ) as id
    from unnest(${plates.map((p) => p.plateKey)}::text[], ${plates.map((p) => p.province)}::text[]) with ordinality
      as i (plate_key, province, ord)
    order by i.ord`
  return rows.map(({ id }) => id)
}
