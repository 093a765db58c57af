import { Copy, UserPlus } from 'lucide-react'
import { useState } from 'react'
import type { OpenInvitation, VehiclePeople } from '#contract/vehicle-people.ts'
import { validateEmail } from '~/lib/address/validate-email'
import { formatDateTime } from '~/lib/dates/dates'
import { useForm } from '~/lib/form/use-form'
import { errorMessage } from '~/lib/http/api'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { FailureAlert } from '~/ui/FailureAlert'
import { EmailField } from '~/ui/Field'
import type { PeopleActions } from './use-people-actions.ts'

type Props = {
  people: VehiclePeople
  actions: PeopleActions
  /** Whether the field for an address is open and has the focus from the start. */
  startsAsking: boolean
}
type Shown = { id: string; code: string; url: string; expires_at: string; email?: string }

/** Invites a driver: with a code to read from this screen, or with a link for one address that the owner passes on. */
export function InviteDriver({ people, actions, startsAsking }: Props) {
  const { invite } = actions
  const [isAsking, setIsAsking] = useState(startsAsking)
  const [shown, setShown] = useState<Shown | null>(null)
  // used or withdrawn meanwhile
  const isOpen = shown !== null && people.invitations.some(({ id }) => id === shown.id)
  const form = useForm({
    defaultValues: { email: '' },
    validate: ({ email }) => ({ email: validateEmail(email) }),
    async onSubmit({ email }) {
      await invite
        .mutateAsync(email)
        .then((invitation) => {
          setShown({ ...invitation, email })
          setIsAsking(false)
        })
        .catch(() => undefined) // shown below
    },
  })
  return (
    <section className="grid gap-4">
      <div className="grid gap-1">
        <h3 className="font-bold">{m.people_invite()}</h3>
        <p className="max-w-prose text-sm text-ink-soft">{m.people_invite_text()}</p>
      </div>
      {isOpen && <ShownInvitation invitation={shown} />}
      <div role="alert" className="empty:hidden">
        {invite.error && <FailureAlert title={errorMessage(invite.error)} />}
      </div>
      {isAsking ? (
        <form noValidate className="grid max-w-md gap-3" {...form.formProps}>
          <EmailField
            label={m.people_email()}
            hint={m.people_email_hint()}
            {...form.register('email')}
            autoComplete="off"
            autoFocus // oxlint-disable-line jsx-a11y/no-autofocus -- whoever opened it is about to type here
          />
          <div className="flex flex-wrap gap-3">
            <Button type="submit" variant="primary" pending={form.pending}>
              {m.people_make_link()}
            </Button>
            <Button onClick={() => setIsAsking(false)}>{m.action_cancel()}</Button>
          </div>
        </form>
      ) : (
        <div className="flex flex-col gap-3 sm:flex-row sm:flex-wrap">
          <Button
            pending={invite.isPending}
            onClick={() => invite.mutate(undefined, { onSuccess: (invitation) => setShown(invitation) })}
          >
            {!invite.isPending && <UserPlus aria-hidden="true" className="size-5" />}
            {m.people_show_code()}
          </Button>
          <Button onClick={() => setIsAsking(true)}>{m.people_link_for_address()}</Button>
        </div>
      )}
      {people.invitations.length > 0 && (
        <ul className="grid gap-1">
          {people.invitations.map((invitation) => (
            <OpenItem key={invitation.id} invitation={invitation} actions={actions} />
          ))}
        </ul>
      )}
    </section>
  )
}

function ShownInvitation({ invitation }: { invitation: Shown }) {
  const { code, url, email, expires_at } = invitation
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url)
      toast.success(m.people_copied())
    } catch {
      toast.error(new Error(m.people_copy_failed()))
    }
  }
  return (
    <div role="status" className="grid gap-3 rounded-xl bg-signal-soft p-4">
      {email === undefined ? (
        <>
          <p className="max-w-prose">{m.people_code_text()}</p>
          <p className="font-mono text-3xl font-extrabold tracking-widest">{code}</p>
        </>
      ) : (
        <>
          <p className="max-w-prose wrap-anywhere">{m.people_link_text({ email })}</p>
          <p className="rounded-lg bg-surface p-3 text-sm break-all">{url}</p>
        </>
      )}
      <p className="text-sm">{m.people_valid_until({ time: formatDateTime(expires_at) })}</p>
      <Button className="justify-self-start" onClick={() => void copy()}>
        <Copy aria-hidden="true" className="size-5" />
        {m.people_copy_link()}
      </Button>
    </div>
  )
}

function OpenItem({ invitation, actions }: { invitation: OpenInvitation; actions: PeopleActions }) {
  const { id, kind, expires_at } = invitation
  const { revoke } = actions
  const time = formatDateTime(expires_at)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 text-sm text-ink-soft">
      <span>{kind === 'code' ? m.people_open_code({ time }) : m.people_open_link({ time })}</span>
      <Button
        variant="ghost"
        className="-mx-2 px-2! text-sm!"
        pending={revoke.isPending && revoke.variables === id}
        onClick={() => revoke.mutate(id)}
      >
        {m.people_withdraw()}
      </Button>
    </li>
  )
}
