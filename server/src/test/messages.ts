import assert from 'node:assert/strict'
import type { Caller } from './app.ts'

/** Sends a message over HTTP. Returns its id. */
export const sendMessage = async (
  from: Caller,
  plate: string,
  content = 'Your lights are on',
  more: object = {},
): Promise<string> => {
  const { status, body, text } = await from.post('/api/messages', { plate, content, ...more })
  assert.equal(status, 201, text)
  return body.id
}
