import type { OpenInvitation } from '#contract/vehicle-people.ts'
import type { VehicleStatus } from '#contract/vehicles.ts'
import { MAX_UUID } from '../db/pagination.ts'
import type { Db } from '../db/pool.ts'
import { RETENTION } from '../retention.ts'

type NewInvitation = {
  id: string
  vehicleId: string
  codeHash: Buffer
  inviteeHash: Buffer | null
  /** An interval of the database. */
  validFor: string
}

/** Stores an invitation. Returns when it ends. */
export const insertInvitation = async (db: Db, invitation: NewInvitation): Promise<string> => {
  const { id, vehicleId, codeHash, inviteeHash, validFor } = invitation
  const [row] = await db<{ expires_at: string }[]>`
    insert into vehicle_invitations (id, vehicle_id, code_hash, invitee_hash, expires_at)
    values (${id}, ${vehicleId}, ${codeHash}, ${inviteeHash}, now() + ${validFor}::interval)
    returning expires_at`
  return row!.expires_at // an insert without "on conflict" returns its row or throws
}

/** Lists the invitations to a vehicle that can still be used, oldest first. */
export const listInvitations = (db: Db, vehicleId: string) =>
  db<OpenInvitation[]>`
    select id, case when invitee_hash is null then 'code' else 'link' end as kind, created_at, expires_at
    from vehicle_invitations
    where vehicle_id = ${vehicleId} and expires_at > now()
    order by id`

/** Deletes an invitation to a person's own vehicle. Returns false when there is none. */
export const deleteInvitation = async (db: Db, id: string, ownerId: string): Promise<boolean> => {
  const { count } = await db`
    delete from vehicle_invitations i using vehicles v
    where i.id = ${id} and v.id = i.vehicle_id and v.user_id = ${ownerId}`
  return count === 1
}

/** Withdraws every invitation to a vehicle. */
export const deleteVehicleInvitations = async (tx: Db, vehicleId: string): Promise<void> => {
  await tx`delete from vehicle_invitations where vehicle_id = ${vehicleId}`
}

/** Withdraws every invitation to any vehicle of a person. */
export const deleteOwnerInvitations = async (tx: Db, ownerId: string): Promise<void> => {
  await tx`delete from vehicle_invitations i using vehicles v where v.id = i.vehicle_id and v.user_id = ${ownerId}`
}

type LockedInvitation = {
  id: string
  vehicle_id: string
  invitee_hash: Buffer | null
  plate: string
  owner_id: string
  status: VehicleStatus
  is_owner_suspended: boolean
}

/** Finds an invitation by its code and locks it and its vehicle until the transaction ends: it is used once. */
export const lockInvitation = async (tx: Db, codeHash: Buffer): Promise<LockedInvitation | undefined> => {
  const [row] = await tx<LockedInvitation[]>`
    select i.id, i.vehicle_id, i.invitee_hash, v.plate, v.user_id as owner_id, v.status,
      is_account_sanctioned(v.user_id, 'suspend') as is_owner_suspended
    from vehicle_invitations i join vehicles v on v.id = i.vehicle_id
    where i.code_hash = ${codeHash} and i.expires_at > now()
    for no key update of v, i`
  return row
}

export const spendInvitation = async (tx: Db, id: string): Promise<void> => {
  await tx`delete from vehicle_invitations where id = ${id}`
}

/** Deletes invitations whose time is over, at the latest with their period. */
export const deleteEndedInvitations = async (db: Db): Promise<void> => {
  await db`
    delete from vehicle_invitations
    where expires_at <= now() or created_at < now() - ${RETENTION.invitations}::interval`
}

/** Lists the invitations a person has made and that can still be used, latest first, for the export. */
export const listOwnInvitations = (db: Db, ownerId: string, before: string | null, limit: number) =>
  db<(OpenInvitation & { plate: string })[]>`
    select i.id, v.plate, case when i.invitee_hash is null then 'code' else 'link' end as kind, i.created_at, i.expires_at
    from vehicles v join vehicle_invitations i on i.vehicle_id = v.id
    where v.user_id = ${ownerId} and i.expires_at > now() and i.id < coalesce(${before}, ${MAX_UUID})::uuid
    order by i.id desc
    limit ${limit}`
