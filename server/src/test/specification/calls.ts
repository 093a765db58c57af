import assert from 'node:assert/strict'
import { LANGUAGE_TAGS, LOCALES, type Locale } from '#contract/product.ts'
import { m } from '#texts/messages.js'
import { accepted, type Caller, type TestResponse } from '../app.ts'
import { CIVIC } from '../disputes.ts'
import { sendMessage } from '../messages.ts'

export const registerPlate = (who: Caller, plate: string, more: object = {}, headers?: Record<string, string>) =>
  who.post('/register-plate', { plate, ...CIVIC, ...more }, headers)

/** Registers a plate, which has to succeed. */
export async function register(who: Caller, plate: string, more: object = {}) {
  const body = await accepted(registerPlate(who, plate, more))
  return body as { status: string; vehicle: { id: string; plate: string; status: string; created_at: string } }
}

export const sendTo = (who: Caller, plate: unknown, content: unknown, headers?: Record<string, string>) =>
  who.post('/api/messages', { plate, content }, headers)

export const send = sendMessage

/** Returns the items of a list. */
export async function list(who: Caller, path: string) {
  const body = await accepted(who.get(path))
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever the server sent
  return body.items as any[]
}

/** Returns the statuses of somebody's vehicles, newest first. */
export const statuses = async (who: Caller): Promise<string[]> =>
  (await list(who, '/api/vehicles')).map(({ status }) => status)

/** The apostrophe of the requirements is a typewriter's, that of the product is a printer's. */
const inPrint = (text: string) => text.replaceAll("'", '’')

const TEXTS = Object.values(m) as ((inputs: object, options: { locale: Locale }) => string)[]

function inFrench(english: string): string {
  const text = TEXTS.find((one) => one({}, { locale: 'en' }) === english)
  assert.ok(text, `${english} is in the catalogue`)
  return text({}, { locale: 'fr-CA' })
}

/**
 * Asserts that a call is refused, and that a person reads this in their language; a sentence about one field may stand at
 * the field.
 *
 * @param english as the requirements quote it
 */
export async function assertReads(
  call: (headers: Record<string, string>) => Promise<TestResponse>,
  status: number,
  english: string,
): Promise<void> {
  for (const locale of LOCALES) {
    const response = await call({ 'accept-language': LANGUAGE_TAGS[locale] })
    assert.equal(response.status, status, response.text)
    const wanted = locale === 'en' ? inPrint(english) : inFrench(inPrint(english))
    const { error, fields = {} } = response.body
    const texts = [error, ...Object.values(fields as Record<string, string>)]
    assert.ok(
      texts.some((text) => text.includes(wanted)),
      `${wanted} is not in ${response.text}`,
    )
  }
}
