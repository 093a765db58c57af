/** The token of a session, and the Idempotency-Key of a send. */
type Credentials = { token?: string; key?: string }

/** Posts JSON to a product that runs as a separate process; the caller knows which fields the response has. */
export async function postJson(url: string, body: object, { token, key }: Credentials = {}) {
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

/** Signs a user up where addresses need no confirmation, and returns the token of the session. */
export async function signUpOverHttp(url: string, email: string): Promise<string> {
  const account = { email, password: 'Correct-horse-7', data: { full_name: 'Sam Roy' } }
  const { body } = await postJson(`${url}/auth/v1/signup`, account)
  if (!body['access_token']) throw new Error(`the sign-up of ${email} gave no session`)
  return body['access_token']
}
