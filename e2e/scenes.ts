import { newId } from '../server/src/db/ids.ts'
import { makeAdmin } from './admins.ts'
import type { Person } from './people.ts'
import type { Product } from './product.ts'

/** Somebody with something in every list; what is in dispute is the first of the vehicles. */
export async function busy(person: () => Promise<Person>): Promise<Person> {
  const [one, other] = [await person(), await person()]
  await one.registers()
  await one.registers()
  const mine = await one.registers()
  const theirs = await other.registers()
  const first = await other.sends(mine.plate, 'Your lights are on, level P2 by the elevator.')
  await other.sends(mine.plate, 'Long. '.repeat(200))
  await other.sends(mine.plate, 'Your window is open.')
  await one.replies(first, 'Thank you! I am on my way.')
  await other.replies(await one.sends(theirs.plate, 'You are blocking me.'), 'On my way.')
  await one.sends(theirs.plate, 'And your window is open.')
  await other.registers(mine.plate) // a dispute
  return one
}

/** An admin with something in every list of the admin area too. */
export async function busyAdmin(product: Product, person: () => Promise<Person>): Promise<Person> {
  const admin = await makeAdmin(product, await busy(person))
  const entry = { id: newId(), action: 'user_deleted', subject: 'p•••@example.com', subject_id: newId() }
  await product.db`insert into audit_log ${product.db(entry)}`
  return admin
}
