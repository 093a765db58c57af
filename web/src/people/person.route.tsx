import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Navigate, useSearchParams } from 'react-router'
import { paths } from '#contract/paths.ts'
import { type AdminPerson, liftSanctions, suspendPerson } from '#contract/people.ts'
import { EventItem } from '~/account-events/EventItem'
import { PagedList } from '~/admin/frame/PagedList'
import { withFreshFactor } from '~/admin/frame/StepUp'
import { personQuery, USERS_KEY, userEventsQuery, userQuery } from '~/admin/queries'
import { DaysField, ReasonField, sanctionInput, validateSanction } from '~/admin/sanctions'
import { useForm } from '~/lib/form/use-form'
import { call, errorMessage } from '~/lib/http/api'
import { href } from '~/lib/i18n/i18n'
import { privatePageMeta } from '~/lib/page/page-meta'
import { flattenPages } from '~/lib/query/paged'
import { queryClient } from '~/lib/query/query-client'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { PageHeader } from '~/ui/PageHeader'
import { Skeleton } from '~/ui/Skeleton'
import { Dialog, DialogButtons } from '~/ui/signed-in/Dialog'
import { Loaded } from '~/ui/signed-in/LoadedPart'
import { Accounts, History, Summary } from './PersonSections.tsx'

export const meta = () => privatePageMeta(m.admin_user_title())

/**
 * Renders /admin/user: a person across all their accounts, and what an admin can do about them (decisions admin-inbox and
 * sanctions-and-appeals). `?id=` names an account, which is shown in full; `?person=` shows no whole address, for who comes from a
 * report or an appeal.
 */
export default function PersonPage() {
  const [params] = useSearchParams()
  const accountId = params.get('id')
  const user = useQuery({ ...userQuery(accountId ?? ''), enabled: accountId !== null })
  const personId = accountId === null ? params.get('person') : (user.data?.person_id ?? '')
  const person = useQuery({ ...personQuery(personId ?? ''), enabled: Boolean(personId) })
  if (personId === null) return <Navigate to={href(paths.adminUsers())} replace /> // an address that names nobody
  return (
    <>
      <PageHeader
        back={{ to: paths.adminUsers(), text: m.admin_users_title() }}
        title={m.admin_user_title()}
        action={person.data && <Actions person={person.data} />}
      >
        {accountId !== null && (
          <span translate="no" className="font-bold text-ink">
            {user.data?.email ?? '\u00a0'}
          </span>
        )}
      </PageHeader>
      <Loaded query={user.error && !user.data ? user : person} skeleton={<Skeleton className="h-40 rounded-2xl!" />}>
        {() =>
          person.data && (
            <div className="grid gap-8">
              <Summary person={person.data} user={user.data} />
              <History person={person.data} />
              <Accounts person={person.data} shownId={accountId} />
              {accountId !== null && <AccountEvents id={accountId} />}
            </div>
          )
        }
      </Loaded>
    </>
  )
}

function Actions({ person }: { person: AdminPerson }) {
  const [action, setAction] = useState<PersonAction>('suspend')
  const [open, setOpen] = useState(false)
  const ask = (next: PersonAction) => {
    setAction(next)
    setOpen(true)
  }
  return (
    <>
      {(person.suspended || person.limited) && <Button onClick={() => ask('lift')}>{m.person_lift()}</Button>}
      {!person.suspended && (
        <Button className="text-danger!" onClick={() => ask('suspend')}>
          {m.person_suspend()}
        </Button>
      )}
      <PersonDialog key={action} personId={person.id} action={action} open={open} onOpenChange={setOpen} />
    </>
  )
}

/** Lists what happened to an account, page by page. */
function AccountEvents({ id }: { id: string }) {
  const list = useInfiniteQuery(userEventsQuery(id))
  const events = flattenPages(list.data)
  return (
    <section aria-labelledby="events" className="grid gap-3">
      <h2 id="events" className="text-xl font-bold">
        {m.events_title()}
      </h2>
      <PagedList
        list={list}
        isEmpty={events.length === 0}
        skeleton={<Skeleton className="h-40 w-full" />}
        empty={<p className="text-ink-soft">{m.events_none()}</p>}
      >
        <Card>
          <ul className="grid divide-y divide-line *:first:pt-0 *:last:pb-0">
            {events.map((event) => (
              <EventItem key={event.id} event={event} showNetworks />
            ))}
          </ul>
        </Card>
      </PagedList>
    </section>
  )
}

/** What an admin can do about a person without a case. */
type PersonAction = 'suspend' | 'lift'

type Props = {
  personId: string
  action: PersonAction
  open: boolean
  onOpenChange: (open: boolean) => void
}

const TEXTS = {
  suspend: {
    title: m.person_suspend_title,
    text: m.person_suspend_text,
    confirm: m.person_suspend_confirm,
    pending: m.person_suspend_pending,
    done: m.person_suspend_done,
  },
  lift: {
    title: m.person_lift_title,
    text: m.person_lift_text,
    confirm: m.person_lift_confirm,
    pending: m.person_lift_pending,
    done: m.person_lift_done,
  },
}

/** Asks for the reason of a suspension or of its end, and for how many days; states the consequences first. */
function PersonDialog({ personId, action, open, onOpenChange }: Props) {
  const { queryKey } = personQuery(personId)
  const { title, text, confirm, pending, done: doneText } = TEXTS[action]
  const form = useForm({
    defaultValues: { reason: '', days: '' },
    validate: validateSanction,
    async onSubmit(values) {
      const input = { id: personId, ...sanctionInput(values) }
      const send = () =>
        action === 'lift'
          ? call(liftSanctions, input, { withTimeout: true })
          : call(suspendPerson, input, { withTimeout: true })
      const done = await withFreshFactor(send).catch((error: unknown) => {
        void queryClient.invalidateQueries({ queryKey }) // another admin may have been faster
        throw error
      })
      queryClient.setQueryData(queryKey, done)
      void queryClient.invalidateQueries({ queryKey: USERS_KEY }) // it is among the events of the account
      form.setValue('reason', '')
      form.setValue('days', '')
      onOpenChange(false)
      toast.success(doneText())
    },
    fieldError: (error) => ({ reason: errorMessage(error) }),
  })
  // stays open while it is sent: it shows why that failed
  const close = () => !form.pending && onOpenChange(false)
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title={title()}
      description={text()}
      initialFocus={() => document.querySelector<HTMLTextAreaElement>('dialog[open] textarea[name=reason]')}
    >
      <form noValidate className="grid gap-4" {...form.formProps}>
        <ReasonField {...form.register('reason')} />
        {action === 'suspend' && <DaysField {...form.register('days')} />}
        <DialogButtons
          onCancel={close}
          type="submit"
          variant={action === 'suspend' ? 'danger' : 'primary'}
          pending={form.pending}
          pendingText={pending()}
        >
          {confirm()}
        </DialogButtons>
      </form>
    </Dialog>
  )
}
