import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { normalizeEmail } from '#contract/addresses.ts'
import { shownEmail } from '#contract/auth.ts'
import {
  cancelEmailChange,
  getEmailChange,
  type PendingEmailChange,
  requestEmailChange,
  resendEmailChange,
} from '#contract/email-change.ts'
import { AuthFailureAlert, apiFailure } from '~/auth/AuthFailureAlert'
import type { AuthFailure } from '~/auth/auth-error-text'
import { validateEmail } from '~/lib/address/validate-email'
import { useForm } from '~/lib/form/use-form'
import { ApiError, call } from '~/lib/http/api'
import { useUser } from '~/lib/session/user'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { ErrorState } from '~/ui/ErrorState'
import { EmailField } from '~/ui/Field'
import { DateTime } from '~/ui/signed-in/RelativeTime'
import { sectionButtonClass } from './ProfileSection.tsx'
import { useReauthentication } from './use-reauthentication.ts'

/** Focuses the field that a press of a button has added. One function for all renders, so that it runs once. */
const focusField = (box: HTMLElement | null) => box?.querySelector('input')?.focus()

const emailChangeQuery = queryOptions({
  queryKey: ['accounts', 'email-change'],
  queryFn: ({ signal }) => call(getEmailChange, {}, { signal }),
})

/** Shows the address, a change that waits for confirmation from its mailboxes, and the form that requests one. */
export function EmailChange({ skeleton }: { skeleton: ReactNode }) {
  const email = shownEmail(useUser())
  const { data, error, refetch } = useQuery(emailChangeQuery)
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <dl className="grid gap-1">
        <dt className="text-sm text-ink-soft">{m.email_change_current()}</dt>
        <dd className="font-bold wrap-anywhere">{email}</dd>
      </dl>
      {!data && (error ? <ErrorState error={error} onRetry={() => void refetch()} /> : skeleton)}
      {data?.pending && <PendingChange email={email} pending={data.pending} />}
      {data && !data.pending && isAsking && <NewAddressForm email={email} onDone={() => setAsking(false)} />}
      {data && !data.pending && !isAsking && (
        <Button className={sectionButtonClass} onClick={() => setAsking(true)}>
          {m.email_change_ask()}
        </Button>
      )}
    </>
  )
}

function NewAddressForm({ email, onDone }: { email: string; onDone: () => void }) {
  const queries = useQueryClient()
  const [failure, setFailure] = useState<AuthFailure | null>(null)
  const reauthentication = useReauthentication({ onFailure: setFailure })

  /** Requests the change; with the access token of a fresh session when that of this browser was too old. */
  const ask = async (newEmail: string, token?: string) => {
    try {
      const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
      await call(requestEmailChange, { email: newEmail }, { headers })
      await queries.invalidateQueries({ queryKey: emailChangeQuery.queryKey })
      toast.success(m.email_change_sent())
      onDone()
    } catch (error) {
      if (error instanceof ApiError && error.code === 'sign_in_again') await reauthentication.open()
      else setFailure(apiFailure(error))
    }
  }
  const { register, pending, formProps, getValues } = useForm({
    defaultValues: { newEmail: '' },
    validate: ({ newEmail }) => {
      const valid = validateEmail(newEmail)
      return {
        newEmail: valid === true && normalizeEmail(newEmail) === normalizeEmail(email) ? m.email_change_same() : valid,
      }
    },
    async onSubmit({ newEmail }) {
      setFailure(null)
      await ask(newEmail)
      return undefined
    },
  })

  return (
    <>
      <form method="post" noValidate className="grid gap-5" {...formProps}>
        <div ref={focusField}>
          <EmailField label={m.email_change_new()} hint={m.email_change_hint()} {...register('newEmail')} />
        </div>
        <AuthFailureAlert failure={failure} />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" variant="primary" pending={pending} pendingText={m.email_change_sending()}>
            {m.email_change_send()}
          </Button>
          <Button variant="ghost" onClick={onDone}>
            {m.action_cancel()}
          </Button>
        </div>
      </form>
      {reauthentication.Dialog && (
        <reauthentication.Dialog
          open={reauthentication.isOpen}
          reason={m.email_change_again()}
          withoutPassword={m.email_change_again_none()}
          onClose={reauthentication.close}
          onSignedIn={async (token) => {
            reauthentication.close()
            await ask(getValues().newEmail, token)
          }}
        />
      )}
    </>
  )
}

function PendingChange({ email, pending }: { email: string; pending: PendingEmailChange }) {
  const queries = useQueryClient()
  const [working, setWorking] = useState<'resend' | 'cancel' | null>(null)
  const [failure, setFailure] = useState<AuthFailure | null>(null)
  const run = async (what: 'resend' | 'cancel') => {
    setFailure(null)
    setWorking(what)
    try {
      await (what === 'resend' ? call(resendEmailChange, {}) : call(cancelEmailChange, {}))
      toast.success(what === 'resend' ? m.email_change_resent() : m.email_change_cancelled())
    } catch (error) {
      setFailure(apiFailure(error))
    }
    await queries.invalidateQueries({ queryKey: emailChangeQuery.queryKey })
    setWorking(null)
  }
  return (
    <div className="grid gap-5">
      <p>{m.email_change_waiting()}</p>
      <ul className="grid divide-y divide-line *:first:pt-0 *:last:pb-0">
        <Mailbox address={email} confirmed={pending.current_confirmed} />
        <Mailbox address={pending.new_email} confirmed={pending.new_confirmed} />
      </ul>
      <p className="text-sm text-ink-soft">
        {m.email_change_until()} <DateTime iso={pending.expires_at} />
      </p>
      <AuthFailureAlert failure={failure} />
      <div className="flex flex-wrap gap-3">
        <Button pending={working === 'resend'} onClick={() => void run('resend')}>
          {m.email_change_resend()}
        </Button>
        <Button variant="ghost" pending={working === 'cancel'} onClick={() => void run('cancel')}>
          {m.email_change_cancel()}
        </Button>
      </div>
    </div>
  )
}

function Mailbox({ address, confirmed }: { address: string; confirmed: boolean }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5 py-3">
      <span className="font-bold wrap-anywhere">{address}</span>
      <Badge tone={confirmed ? 'good' : 'neutral'}>
        {confirmed ? m.email_change_confirmed() : m.email_change_to_confirm()}
      </Badge>
    </li>
  )
}
