import type { Person, TestApp } from './app.ts'

/** Signs a user up and then in with these headers, which all of the user's calls have. */
export async function createUserAt(
  app: TestApp,
  who: Parameters<TestApp['user']>[0],
  headers: { 'x-forwarded-for': string; 'user-agent': string },
): Promise<Person> {
  const person = await app.user(who)
  const { email, password } = person
  const { body } = await app.visitor.post('/auth/v1/token?grant_type=password', { email, password }, headers)
  const caller = app.withToken(body.access_token)
  return {
    ...person,
    token: body.access_token,
    refreshToken: body.refresh_token,
    get: (path, extra) => caller.get(path, { ...headers, ...extra }),
    post: (path, sent, extra) => caller.post(path, sent, { ...headers, ...extra }),
    patch: (path, sent, extra) => caller.patch(path, sent, { ...headers, ...extra }),
    put: (path, sent, extra) => caller.put(path, sent, { ...headers, ...extra }),
    delete: (path, sent, extra) => caller.delete(path, sent, { ...headers, ...extra }),
  }
}

/** Returns every value in a JSON document, as text, and every run of letters and digits in it that could identify a user. */
export function collectValues(json: unknown): Set<string> {
  const found = new Set<string>()
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(walk)
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(walk)
    else {
      const text = String(value)
      found.add(text)
      for (const run of text.match(/[A-Za-z0-9]{8,}/g) ?? []) found.add(run)
    }
  }
  walk(json)
  return found
}

/**
 * Returns the values that reveal that two items come from one user: some items of one user share them, and no item of another
 * user has them. The items must be in the order of their creation, with no two of one user next to each other, so that a time
 * two of them share is shared by others too.
 *
 * @param items the values of each item, and whose it is
 */
export function linkingValues(items: { whose: number; values: Set<string> }[]): string[] {
  const ownersByValue = new Map<string, number[]>()
  for (const { whose, values } of items)
    for (const value of values) ownersByValue.set(value, [...(ownersByValue.get(value) ?? []), whose])
  return [...ownersByValue]
    .filter(([, owners]) => owners.length > 1 && new Set(owners).size === 1)
    .map(([value]) => value)
    .sort()
}
