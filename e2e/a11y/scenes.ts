import { localizedPath } from '#contract/paths.ts'
import { newId } from '../../server/src/db/ids.ts'
import { makeAdmin } from '../admins.ts'
import type { Person } from '../people.ts'
import type { Product } from '../product.ts'

export const LOCALES = ['en', 'fr-CA'] as const
export type Locale = (typeof LOCALES)[number]

/** A path in a language. */
export const pathIn = (locale: Locale) => (path: string) => localizedPath(path, locale)

/** Somebody with something in every list. */
export async function busy(person: () => Promise<Person>): Promise<Person> {
  const [one, other] = [await person(), await person()]
  const mine = await one.registers()
  const theirs = await other.registers()
  const first = await other.sends(mine.plate, 'Your lights are on.')
  await other.sends(mine.plate, 'Long. '.repeat(200))
  await one.replies(first, 'Thank you!')
  await other.replies(await one.sends(theirs.plate, 'You are blocking me.'), 'On my way.')
  await one.sends(theirs.plate, 'And your window is open.')
  await other.registers(mine.plate) // a dispute
  return one
}

/** An admin with something in every list of the admin area. */
export async function busyAdmin(product: Product, person: () => Promise<Person>): Promise<Person> {
  const admin = await makeAdmin(product, await busy(person))
  const entry = { id: newId(), action: 'user_deleted', subject: 'p•••@example.com', subject_id: newId() }
  await product.db`insert into audit_log ${product.db(entry)}`
  return admin
}
