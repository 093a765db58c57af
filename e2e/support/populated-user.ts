import { newId } from '../../server/src/db/ids.ts'
import { grantAdmin } from './admins.ts'
import { type Person, UNBROKEN } from './people.ts'
import type { Product } from './product.ts'

type NewPerson = (options?: { fullName: string }) => Promise<Person>

/** Creates somebody with entries in every list, in words without end; the first of their vehicles is in dispute, another is paused. */
export async function createPopulatedUser(person: NewPerson): Promise<Person> {
  const [one, other] = [await person({ fullName: 'Wolfeschlegel'.repeat(7) }), await person()]
  await one.registerVehicle()
  await one.pauseVehicle(await one.registerVehicle())
  const mine = await one.registerVehicle()
  const theirs = await other.registerVehicle()
  const first = await other.sendMessage(mine.plate, 'Your hood is open, level P2 by the elevator.')
  await other.sendMessage(mine.plate, 'Long. '.repeat(200))
  await other.sendMessage(mine.plate, UNBROKEN)
  await one.replyTo(first, UNBROKEN)
  await other.replyTo(await one.sendMessage(theirs.plate, UNBROKEN), UNBROKEN)
  await other.replyTo(await one.sendMessage(theirs.plate, 'And your window is open.'), '', 'not_my_car')
  await one.sendMessage(theirs.plate, 'And your lights are on.')
  await other.registerVehicle(mine.plate) // a dispute
  return one
}

/** Creates an admin with entries in every list, those of the admin area included. */
export async function createPopulatedAdmin(product: Product, person: NewPerson): Promise<Person> {
  const other = await person()
  const { plate } = await other.registerVehicle()
  const reported = await (await person()).sendMessage(plate, 'I know where you park.')
  await other.reportMessage(reported, { reason: 'threat', note: UNBROKEN.slice(0, 900) })
  // after the report: the newest vehicle is one in dispute
  const admin = await grantAdmin(product, await createPopulatedUser(person))
  const entry = { id: newId(), action: 'user_deleted', subject: 'p•••@example.com', subject_id: newId() }
  await product.db`insert into audit_log ${product.db(entry)}`
  return admin
}
