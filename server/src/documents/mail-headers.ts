/** The header fields of a mail, in their order; names in lower case, values unfolded. */
type MailHeaders = { name: string; value: string }[]

const END_OF_HEADERS = /\r?\n\r?\n/

/** Returns where the header of a mail ends; -1 while it has not (RFC 5322, 2.1). */
export const endOfHeaders = (text: string): number => text.search(END_OF_HEADERS)

/** Reads the header fields of a mail (RFC 5322, 2.2). What is no field is left out. */
export function parseHeaders(text: string): MailHeaders {
  const unfolded = text.replace(/\r?\n(?=[ \t])/g, '')
  return unfolded.split(/\r?\n/).flatMap((line) => {
    const [, name, value] = /^([!-9;-~]+)[ \t]*:(.*)$/s.exec(line) ?? []
    return name === undefined ? [] : [{ name: name.toLowerCase(), value: value!.trim() }]
  })
}

const valuesOf = (headers: MailHeaders, name: string) =>
  headers.filter((field) => field.name === name).map(({ value }) => value)

/** Where mail servers write whom a mail is for: those of the mail itself, and those of its envelope. */
const RECIPIENT_FIELDS = new Set([
  'to',
  'cc',
  'resent-to',
  'delivered-to',
  'x-original-to',
  'envelope-to',
  'x-envelope-to',
  'x-forwarded-to',
])

/** Returns the values of all fields that may name the recipient, unparsed. */
export const recipientsOf = (headers: MailHeaders): string[] =>
  headers.filter(({ name }) => RECIPIENT_FIELDS.has(name)).map(({ value }) => value)

/** Returns the Message-ID; null when there is none. */
export const messageIdOf = (headers: MailHeaders): string | null => valuesOf(headers, 'message-id')[0] || null

/**
 * Returns whether software wrote a mail by itself: an absence note, a bounce, a receipt (RFC 3834, RFC 3464, RFC 8098).
 * Nobody sends documents with one.
 */
export function isAutomatic(headers: MailHeaders): boolean {
  const has = (name: string, pattern: RegExp) => valuesOf(headers, name).some((value) => pattern.test(value))
  return (
    has('auto-submitted', /^(?!no\b)/i) ||
    has('content-type', /^multipart\/report\b/i) ||
    has('return-path', /^<\s*>/) ||
    has('precedence', /^(?:bulk|junk|auto_reply)\b/i) ||
    has('from', /(?:^|<|\s)(?:mailer-daemon|postmaster)@/i) ||
    ['x-autoreply', 'x-autorespond', 'x-failed-recipients'].some((name) => has(name, /./))
  )
}
