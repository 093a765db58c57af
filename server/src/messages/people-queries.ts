import type { Db } from '../db/pool.ts'

// The people of a vehicle as those who get its messages (decision vehicle-people).

/**
 * Lets the drivers of a vehicle read a message, all but those who are suspended. Returns everybody who gets it, the owner among
 * them. A driver who is just being removed is waited for. A send of an account does this in its own statement (send-statement.ts).
 */
export const shareWithPeople = async (
  tx: Db,
  messageId: string,
  { vehicleId, ownerId }: { vehicleId: string; ownerId: string },
): Promise<string[]> => {
  const drivers = await tx<{ user_id: string }[]>`
    with drivers as materialized (
      select id, user_id from vehicle_drivers
      where vehicle_id = ${vehicleId} and not is_account_sanctioned(user_id, 'suspend')
      order by id
      for key share
    ), readable as (
      insert into driver_messages (driver_id, message_id) select id, ${messageId}::uuid from drivers
    )
    select user_id from drivers`
  return [ownerId, ...drivers.map(({ user_id }) => user_id)]
}

/**
 * Lists who may read a message of a vehicle, and locks the drivers among them until the transaction ends: a former driver is not
 * notified any more, not even at this moment. Leaves out who is suspended.
 *
 * @param exceptUserId somebody to leave out
 */
export const lockReaders = async (tx: Db, messageId: string, exceptUserId: string | null = null): Promise<string[]> => {
  const rows = await tx<{ user_id: string }[]>`
    with drivers as materialized (
      select p.user_id from driver_messages d join vehicle_drivers p on p.id = d.driver_id
      where d.message_id = ${messageId}
      order by p.id
      for key share of p
    )
    select user_id from (
      select v.user_id from messages m join vehicles v on v.id = m.addressed_to where m.id = ${messageId}
      union all select user_id from drivers
    ) people
    where user_id is distinct from ${exceptUserId} and not is_account_sanctioned(user_id, 'suspend')
    order by user_id`
  return rows.map(({ user_id }) => user_id)
}
