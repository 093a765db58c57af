import { accepted, type Caller } from './app.ts'

/** Sends a message over HTTP. Returns its id. */
export const sendMessage = async (
  from: Caller,
  plate: string,
  content = 'Your lights are on',
  more: object = {},
): Promise<string> => (await accepted(from.post('/api/messages', { plate, content, ...more }))).id
