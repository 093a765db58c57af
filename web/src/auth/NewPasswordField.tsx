import clsx from 'clsx'
import { Circle, CircleCheck } from 'lucide-react'
import type { ComponentProps } from 'react'
import { PASSWORD_MAX_BYTES, PASSWORD_MIN, passwordCharacterClasses, passwordWeaknesses } from '#contract/passwords.ts'
import { m } from '~/paraglide/messages'
import { PasswordField } from '~/ui/PasswordField'

type Props = Omit<ComponentProps<typeof PasswordField>, 'autoComplete' | 'hint'> & {
  /** The password as typed so far. */
  password: string
}

/**
 * What password managers may generate, in the syntax of the `passwordrules` attribute. Each of its symbols is one byte.
 */
const PASSWORD_MANAGER_RULES = {
  passwordrules: [
    `minlength: ${PASSWORD_MIN}`,
    `maxlength: ${PASSWORD_MAX_BYTES}`,
    'required: lower',
    'required: upper',
    'required: digit',
    'required: [-!#$%&*+,.:;=?@^_~]',
  ].join('; '),
}

/** Asks for a new password, and ticks off its requirements while it is typed. */
export function NewPasswordField({ password, ...field }: Props) {
  const rules = requirements(password)
  const met = rules.filter((rule) => rule.met).length
  return (
    <div>
      <PasswordField
        {...field}
        {...PASSWORD_MANAGER_RULES}
        autoComplete="new-password"
        hint={
          // above the field: on a phone the keyboard covers what is below
          <span className="flex flex-wrap gap-x-4 gap-y-1 py-0.5">
            {rules.map((rule) => (
              <Requirement key={rule.text} {...rule} />
            ))}
          </span>
        }
      />
      <p role="status" className="sr-only">
        {password !== '' && m.auth_password_progress({ met, total: rules.length })}
      </p>
    </div>
  )
}

function requirements(typed: string) {
  const classes = passwordCharacterClasses(typed)
  return [
    { text: m.auth_password_needs_length(), met: !passwordWeaknesses(typed).includes('length') },
    { text: m.auth_password_needs_lowercase(), met: classes.lowercase },
    { text: m.auth_password_needs_uppercase(), met: classes.uppercase },
    { text: m.auth_password_needs_digit(), met: classes.digit },
    { text: m.auth_password_needs_symbol(), met: classes.symbol },
  ]
}

function Requirement({ text, met }: { text: string; met: boolean }) {
  const Icon = met ? CircleCheck : Circle
  return (
    <span className={clsx('inline-flex items-center gap-1.5 min-[18rem]:whitespace-nowrap', met && 'text-good')}>
      <Icon aria-hidden="true" className="size-4 shrink-0" />
      {text}
      <span className="sr-only">{met ? m.auth_password_has() : m.auth_password_lacks()}</span>
    </span>
  )
}
