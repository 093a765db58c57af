import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { shownEmail } from '#contract/auth.ts'
import { cancelEmailChange, type PendingEmailChange, resendEmailChange } from '#contract/email-change.ts'
import { AuthFailureAlert } from '~/auth/AuthFailureAlert'
import { toFailure } from '~/auth/auth-request'
import { call } from '~/lib/http/api'
import { useUser } from '~/lib/session/user'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { ErrorState } from '~/ui/ErrorState'
import { EmailField } from '~/ui/Field'
import { Skeleton } from '~/ui/Skeleton'
import { LoadedPart } from '~/ui/signed-in/LoadedPart'
import { DateTime } from '~/ui/signed-in/RelativeTime'
import { sectionButtonClass } from './frame/ProfileSection.tsx'
import { emailChangeQuery } from './queries.ts'

// loaded on demand: it checks addresses, and few people change theirs
const loadNewAddressForm = () => import('./NewAddressForm.tsx')

/** Shows the address of the account, a change that waits for confirmation from its mailboxes, and the form that requests one. */
export function EmailAddress() {
  const email = shownEmail(useUser())
  const { data, error, refetch } = useQuery(emailChangeQuery)
  const [isAsking, setAsking] = useState(false)
  return (
    <div className="grid gap-4">
      <EmailField label={m.auth_email()} readOnly value={email} />
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data?.pending ? (
        <PendingChange email={email} pending={data.pending} />
      ) : isAsking ? (
        <LoadedPart name="new address" load={loadNewAddressForm} skeleton={<Skeleton className="h-12 w-full" />}>
          {({ NewAddressForm }) => <NewAddressForm email={email} onDone={() => setAsking(false)} />}
        </LoadedPart>
      ) : (
        <Button className={sectionButtonClass} onClick={() => setAsking(true)}>
          {m.email_change_ask()}
        </Button>
      )}
    </div>
  )
}

function PendingChange({ email, pending }: { email: string; pending: PendingEmailChange }) {
  const queries = useQueryClient()
  const { mutate, isPending, variables, error } = useMutation({
    networkMode: 'always',
    mutationFn: async (what: 'resend' | 'cancel') => {
      await (what === 'resend' ? call(resendEmailChange, {}) : call(cancelEmailChange, {}))
    },
    onSuccess: (_, what) => toast.success(what === 'resend' ? m.email_change_resent() : m.email_change_cancelled()),
    onSettled: () => queries.invalidateQueries({ queryKey: emailChangeQuery.queryKey }),
  })
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
      <AuthFailureAlert failure={error && toFailure(error)} />
      <div className="flex flex-wrap gap-3">
        <Button pending={isPending && variables === 'resend'} onClick={() => mutate('resend')}>
          {m.email_change_resend()}
        </Button>
        <Button variant="ghost" pending={isPending && variables === 'cancel'} onClick={() => mutate('cancel')}>
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
