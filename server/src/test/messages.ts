import type { Pool } from '../db/pool.ts'
import { accepted, type Caller } from './app.ts'

/** Sends a message over HTTP. Returns its id. */
export const sendMessage = async (
  from: Caller,
  plate: string,
  content = 'Your lights are on',
  more: object = {},
): Promise<string> => (await accepted(from.post('/api/messages', { plate, content, ...more }))).id

/**
 * Looks at messages while they are new, however slow the machine is: what their sender is shown of their emails changes three
 * seconds after they were sent.
 */
export async function whileNew<T>(db: Pool, ids: string[], look: () => Promise<T>): Promise<T> {
  const shift = (span: string) =>
    db`update messages set inserted_at = inserted_at + ${span}::interval where id = any(${ids}::uuid[])`
  await shift('1 hour')
  const seen = await look()
  await shift('-1 hour')
  return seen
}
