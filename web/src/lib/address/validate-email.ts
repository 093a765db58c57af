import { isEmail, isUnwritable, normalizeEmail } from '#contract/addresses.ts'
import { m } from '~/paraglide/messages'

/** Validates an email address as it was typed: returns true, or what is wrong. */
export function validateEmail(typed: string): true | string {
  const email = normalizeEmail(typed)
  if (email === '') return m.address_missing()
  return isEmail(email) || (isUnwritable(email) ? m.field_email_unwritable() : m.address_invalid())
}
