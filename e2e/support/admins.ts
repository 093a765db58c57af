import type { Page } from '@playwright/test'
import { PASSWORD, type Person } from './people.ts'
import type { Product } from './product.ts'

/** Grants the admin right, as the command on the server does. */
export async function grantAdmin({ db }: Product, person: Person): Promise<Person> {
  await db`update auth.users set is_admin = true where id = ${person.id}`
  return person
}

/** Fills in the form of /admin/login and submits it. */
export async function signInAsAdmin(page: Page, email: string, password = PASSWORD) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}
