export const PASSWORD = 'Correct-horse-7'

export type BenchUser = { id: string; token: string }

/** Returns calls to a product on this machine. Each throws unless it succeeds. */
export function createClient(port: number) {
  const post = async (path: string, token: string | null, body: unknown): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path} responded ${response.status}: ${await response.text()}`)
    return response.json()
  }
  return {
    post,
    /** Signs up `<name>@example.com` with PASSWORD. */
    async signUp(name: string): Promise<BenchUser> {
      const account = { email: `${name}@example.com`, password: PASSWORD, data: { full_name: 'Sam' } }
      const session = (await post('/auth/v1/signup', null, account)) as { access_token: string; user: { id: string } }
      return { id: session.user.id, token: session.access_token }
    },
    /** Registers a plate for the owner of the token. */
    async registerPlate(token: string, plate: string): Promise<void> {
      const vehicle = { plate, make: 'Honda', model: 'Civic', registration_year: 2020, province: 'Ontario' }
      await post('/register-plate', token, vehicle)
    },
  }
}
