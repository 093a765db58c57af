import { PASSWORD, type Person } from './people.ts'
import type { Product } from './product.ts'

/** Calls the API with a token, and returns the body of the response. */
async function callAs(product: Product, token: string, path: string, body?: unknown) {
  const response = await fetch(product.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (response.status >= 400) throw new Error(`${response.status} ${path}: ${await response.text()}`)
  return (await response.json()) as Record<string, unknown>
}

async function tokenOf(product: Product, { email }: Person): Promise<string> {
  const session = await callAs(product, '', '/auth/v1/token?grant_type=password', { email, password: PASSWORD })
  return String(session['access_token'])
}

/** Returns the id under which admins know the person of an account. */
export async function personIdOf(product: Product, admin: Person, { id }: Person): Promise<string> {
  return String((await callAs(product, await tokenOf(product, admin), `/api/admin/users/${id}`))['person_id'])
}

/** Suspends the person of an account, as an admin does. Returns the link to appeal in their email, and their id. */
export async function suspend(product: Product, admin: Person, person: Person, reason = 'Two threats in one day.') {
  const personId = await personIdOf(product, admin, person)
  const before = (await product.inbox.to(person.email)).length
  await callAs(product, await tokenOf(product, admin), `/api/admin/people/${personId}/suspend`, { reason, days: 30 })
  const mails = await product.inbox.to(person.email, before + 1)
  const [link] = /https?:\/\/\S+\/appeal#token=[\w-]+/.exec(mails.at(-1)?.parsed.text ?? '') ?? []
  if (!link) throw new Error('the email has no link to appeal')
  return { personId, link }
}
