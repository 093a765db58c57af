import { isPasswordTooLong, passwordWeaknesses } from '#contract/passwords.ts'
import { hasVisibleCharacter } from '#contract/visible-text.ts'
import { m } from '~/paraglide/messages'

/** Validates one field: returns true, or what is wrong. */
type Validator = (typed: string) => true | string

export const validateName: Validator = (typed) => hasVisibleCharacter(typed) || m.auth_name_missing()

/** Checks only that a password was typed: the server says whether it is right. */
export const validatePassword: Validator = (typed) => typed !== '' || m.auth_password_missing()

/** Checks the length and the rules of a new password; only the server knows the passwords that are too common. */
export const validateNewPassword: Validator = (typed) => {
  if (typed === '') return m.auth_password_missing()
  if (passwordWeaknesses(typed).length > 0) return m.auth_password_rule()
  return !isPasswordTooLong(typed) || m.auth_password_too_long()
}
