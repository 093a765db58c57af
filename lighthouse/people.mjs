import { makeAdmin } from '../e2e/admins.ts'
import { newPerson } from '../e2e/people.ts'

/** Who visits the pages of each kind, with something in every list; public pages are for nobody in particular. */
export async function people(product) {
  const owner = await newPerson(product)
  const other = await newPerson(product, { fullName: 'Robin Gagnon' })
  const [mine] = [await owner.registers(), await owner.registers(), await owner.registers()]
  const theirs = await other.registers()
  const first = await other.sends(mine.plate, 'Your headlights are on, level P2 by the elevator.')
  await owner.replies(first, 'Thank you! I am on my way.')
  for (const text of ['Your window is open.', 'You are blocking the driveway.']) await other.sends(mine.plate, text)
  await other.replies(await owner.sends(theirs.plate, 'Your trunk is open.'), 'Thanks!')
  await other.registers(mine.plate) // a dispute, for the admin's list
  return { owner, admin: await makeAdmin(product, await newPerson(product, { fullName: 'Sam Admin' })) }
}
