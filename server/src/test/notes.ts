import { noteCheckDigit, noteCodeDigits } from '#contract/note-code.ts'
import { accepted, type Caller, type Person, type TestApp } from './app.ts'

let count = 0
/** Returns a plate that nobody has registered. */
export const newPlate = () => `NOTE-${String(++count).padStart(3, '0')}`
/** Returns the headers of a caller from a network nobody else has. */
export const fromElsewhere = () => ({ 'x-forwarded-for': `2001:db8:${(++count).toString(16)}::1` })

export type Left = { sender: Person; plate: string; code: string; expires_at: string }

/** Creates a function that leaves a note, as somebody new unless a person is given. */
export const noteLeaver =
  (app: TestApp) =>
  async (more: object = {}, sender?: Person): Promise<Left> => {
    const who = sender ?? (await app.user())
    const plate = newPlate()
    const input = { plate, content: 'Your window is open', ...more }
    const body = await accepted(who.post('/api/notes', input, { 'accept-language': 'en' }))
    return { sender: who, plate, ...body }
  }

/** What somebody without an account does with a note. */
type Verb = 'open' | 'reply' | 'unwanted'
export const VERBS: Verb[] = ['open', 'reply', 'unwanted']

/** Posts a form of notes, or claims one, with code and plate, by default from a new address. */
export const call = (
  who: Caller,
  verb: Verb | 'claim',
  { code, plate }: Pick<Left, 'code' | 'plate'>,
  headers = fromElsewhere(),
) =>
  verb === 'claim'
    ? who.post('/api/notes/claim', { code, plate }, headers)
    : who.post('/n', new URLSearchParams({ code, plate, action: verb, reply: 'On my way' }), headers)

export const sentItems = async (who: Person) => (await who.get('/api/messages?view=sent')).body.items

/** Returns another code that was copied without a mistake. */
export function otherCode(code: string): string {
  const digits = noteCodeDigits(code)
  const start = String((Number(digits.slice(0, 11)) + 1) % 1e11).padStart(11, '0')
  return start + noteCheckDigit(start)
}
