import type { Page, Request } from '@playwright/test'
import type { Person } from './people.ts'
import type { Product } from './product.ts'

/** Grants the admin right, as the command on the server does. */
export async function grantAdmin({ db }: Product, person: Person): Promise<Person> {
  await db`update auth.users set is_admin = true where id = ${person.id}`
  return person
}

/**
 * Revokes the admin right when the page makes a request, before the server receives it. Revoked any earlier, whatever else the
 * page reads at that moment would lead out of it before the test has done what makes the request.
 */
export async function revokeAdminAt(
  page: Page,
  { db }: Product,
  person: Person,
  isMoment: (request: Request) => boolean,
) {
  let isRevoked = false
  await page.route(/\/(?:rest|functions)\/v1\//, async (route) => {
    if (!isRevoked && isMoment(route.request())) {
      isRevoked = true
      await db`update auth.users set is_admin = false where id = ${person.id}`
    }
    await route.fallback()
  })
}
