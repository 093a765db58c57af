import { accepted, type Person, type TestApp } from './app.ts'
import { waitForMailedCode } from './auth-links.ts'

/** Makes the sessions that a person has now begin so long ago. */
export const ageSessions = ({ db }: Pick<TestApp, 'db'>, { id }: { id: string }, seconds: number) => db`
  update auth.sessions
  set amr = jsonb_set(amr, '{0,timestamp}', to_jsonb(extract(epoch from now())::int - ${seconds}::int))
  where user_id = ${id}`

/** Makes the sessions that a person has now ones that an emailed code began, without the email; or a password. */
export const beginByCode = ({ db }: Pick<TestApp, 'db'>, { id }: { id: string }, method = 'otp') => db`
  update auth.sessions set amr = jsonb_set(amr, '{0,method}', to_jsonb(${method}::text)) where user_id = ${id}`

/** Signs somebody in with an emailed code. An address without an account gets one, without a password. */
export async function signInWithCode(app: TestApp, email: string): Promise<Person> {
  const earlier = (await app.mails(email, 0)).length
  await app.visitor.post('/auth/v1/otp', { email, create_user: true })
  const token = await waitForMailedCode(app, email, earlier + 1)
  const body = await accepted(app.visitor.post('/auth/v1/verify', { type: 'email', email, token }))
  const { access_token, refresh_token: refreshToken, user } = body
  return { ...app.withToken(access_token), id: user.id, email, password: '', token: access_token, refreshToken }
}
