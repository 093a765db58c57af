import type { TestApp } from './app.ts'

/** Makes the sessions that a person has now begin so long ago. */
export const ageSessions = ({ db }: Pick<TestApp, 'db'>, { id }: { id: string }, seconds: number) => db`
  update auth.sessions
  set amr = jsonb_set(amr, '{0,timestamp}', to_jsonb(extract(epoch from now())::int - ${seconds}::int))
  where user_id = ${id}`
