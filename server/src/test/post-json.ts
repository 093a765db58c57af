/** What is said of who calls: a session's token, and the Idempotency-Key of a send. */
type Caller = { token?: string; key?: string }

/** Posts JSON to a product that runs as a process of its own; which fields the answer has is for the caller to know. */
export async function postJson(url: string, body: object, { token, key }: Caller = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(key && { 'idempotency-key': key }),
    },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Record<string, string> }
}

/** Signs somebody up where addresses need no confirmation, and resolves with the token of the session. */
export async function signUpOverHttp(url: string, email: string): Promise<string> {
  const person = { email, password: 'Correct-horse-7', data: { full_name: 'Sam Roy' } }
  const { body } = await postJson(`${url}/auth/v1/signup`, person)
  if (!body['access_token']) throw new Error(`the sign-up of ${email} gave no session`)
  return body['access_token']
}
