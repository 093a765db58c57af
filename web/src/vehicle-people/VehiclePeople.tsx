import { Copy, LogOut, UserMinus, UserPlus, Users } from 'lucide-react'
import { useState } from 'react'
import type { OpenInvitation, VehiclePeople as People, VehiclePerson } from '#contract/vehicle-people.ts'
import type { Vehicle } from '#contract/vehicles.ts'
import { validateEmail } from '~/lib/address/validate-email'
import { formatDate, formatDateTime } from '~/lib/dates/dates'
import { useForm } from '~/lib/form/use-form'
import { verbatim } from '~/lib/i18n/verbatim'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Disclosure } from '~/ui/Disclosure'
import { AnnouncedFailure } from '~/ui/FailureAlert'
import { EmailField } from '~/ui/Field'
import { SpokenName } from '~/ui/SpokenName'
import { ConfirmButton } from '~/ui/signed-in/ConfirmDialog'
import { type PeopleActions, usePeopleActions } from './queries.ts'

type Props = { vehicle: Vehicle; people: People; invites: boolean }

/** Shows the people of a vehicle to each of them, and to the owner how others join. */
export function VehiclePeople({ vehicle, people, invites }: Props) {
  const actions = usePeopleActions(vehicle.id, vehicle.plate)
  const isOwner = vehicle.role === 'owner'
  const invite = isOwner && <InviteDriver people={people} actions={actions} startsAsking={invites} />
  if (people.items.length <= 1)
    return (
      <div className="grid gap-5">
        <p className="max-w-prose text-ink-soft">{m.people_alone()}</p>
        {invite}
      </div>
    )
  return (
    <Disclosure
      open={invites}
      title={
        <>
          <Users aria-hidden="true" className="size-5 shrink-0" />
          {m.people_of_vehicle()}
          <SpokenName of={vehicle.plate} />
        </>
      }
    >
      <div className="grid gap-5 py-2">
        <p className="max-w-prose text-ink-soft">{m.people_all_at_once()}</p>
        <ul tabIndex={-1} className="grid divide-y divide-line outline-none">
          {people.items.map((person) => (
            <PersonItem key={person.id} person={person} isOwner={isOwner} actions={actions} />
          ))}
        </ul>
        {invite}
      </div>
    </Disclosure>
  )
}

type ItemProps = { person: VehiclePerson; isOwner: boolean; actions: PeopleActions }

function PersonItem({ person, isOwner, actions }: ItemProps) {
  const { id, role, name, email, is_me, joined_at } = person
  const { remove, leave } = actions
  const shown = name ?? email
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3 first:pt-0">
      <div className="grid min-w-0 gap-0.5">
        <p className="font-bold">{verbatim(is_me ? m.people_me({ name: shown }) : shown, shown)}</p>
        {name !== null && (
          <p translate="no" className="text-sm text-ink-soft">
            {email}
          </p>
        )}
        <p className="text-sm text-ink-soft">
          {role === 'owner' ? m.people_owner() : m.people_driver_since({ date: formatDate(joined_at) })}
        </p>
      </div>
      {is_me && role === 'driver' && (
        <Button icon={LogOut} pending={leave.isPending} onClick={() => leave.mutate(id)}>
          {m.people_leave()}
        </Button>
      )}
      {isOwner && !is_me && (
        <ConfirmButton
          icon={UserMinus}
          variant="ghost"
          className="text-danger!"
          confirm={{
            title: verbatim(m.people_remove_title({ name: shown }), shown),
            description: m.people_remove_text(),
            confirmText: m.people_remove(),
            onConfirm: () => remove.mutateAsync(id),
          }}
        >
          {m.people_remove()}
          <SpokenName of={shown} />
        </ConfirmButton>
      )}
    </li>
  )
}

type InviteProps = {
  people: People
  actions: PeopleActions
  /** Whether the field for an address is open and has the focus from the start. */
  startsAsking: boolean
}
type Shown = { id: string; code: string; url: string; expires_at: string; email?: string }

/** Invites a driver: with a code to read from this screen, or with a link for one address that the owner passes on. */
function InviteDriver({ people, actions, startsAsking }: InviteProps) {
  const { invite } = actions
  const [isAsking, setIsAsking] = useState(startsAsking)
  const [shown, setShown] = useState<Shown | null>(null)
  // used or withdrawn meanwhile
  const isOpen = shown !== null && people.invitations.some(({ id }) => id === shown.id)
  const form = useForm({
    defaultValues: { email: '' },
    validate: ({ email }) => ({ email: validateEmail(email) }),
    async onSubmit({ email }) {
      setShown({ ...(await invite.mutateAsync(email)), email })
      setIsAsking(false)
    },
  })
  return (
    <section className="grid gap-4">
      <div className="grid gap-1">
        <h3 className="font-bold">{m.people_invite()}</h3>
        <p className="max-w-prose text-sm text-ink-soft">{m.people_invite_text()}</p>
      </div>
      {isOpen && <ShownInvitation invitation={shown} />}
      <AnnouncedFailure failure={invite.error} />
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
            icon={UserPlus}
            pending={invite.isPending}
            onClick={() => invite.mutate(undefined, { onSuccess: (invitation) => setShown(invitation) })}
          >
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
      toast.error(m.people_copy_failed())
    }
  }
  return (
    <div role="status" className="grid gap-3 rounded-xl bg-signal-soft p-4">
      {email === undefined ? (
        <>
          <p className="max-w-prose">{m.people_code_text()}</p>
          <p translate="no" className="font-mono text-3xl font-extrabold tracking-widest">
            {code}
          </p>
        </>
      ) : (
        <>
          <p className="max-w-prose">{verbatim(m.people_link_text({ email }), email)}</p>
          <p translate="no" className="rounded-lg bg-surface p-3 text-sm">
            {url}
          </p>
        </>
      )}
      <p className="text-sm">{m.people_valid_until({ time: formatDateTime(expires_at) })}</p>
      <Button icon={Copy} className="justify-self-start" onClick={() => void copy()}>
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
