import { Ban, CarFront, Gauge, ShieldCheck } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import type { AdminUserDetails } from '#contract/admin.ts'
import { paths } from '#contract/paths.ts'
import type { AdminPerson, PersonSanction } from '#contract/people.ts'
import { isLasting } from '#contract/sanctions.ts'
import { sanctionKindText } from '~/admin/sanctions'
import { formatDate } from '~/lib/dates/dates'
import { Link } from '~/lib/i18n/i18n'
import { verbatim } from '~/lib/i18n/verbatim'
import { m } from '~/paraglide/messages'
import { Badge } from '~/ui/Badge'
import { Card } from '~/ui/Card'
import { DateTime } from '~/ui/signed-in/RelativeTime'
import { TypedText } from '~/ui/signed-in/TypedText'

type Props = { person: AdminPerson }

/** Shows what is in force for a person, and the account that was chosen. */
export function Summary({
  person: { suspended, limited },
  user,
}: Props & {
  /** Undefined: the person is shown, and no account. */
  user: AdminUserDetails | undefined
}) {
  return (
    <Card className="grid gap-5">
      <div className="flex flex-wrap gap-2">
        {user?.is_admin && <Badge icon={ShieldCheck}>{m.admin_user_admin()}</Badge>}
        {/* announced when a decision changes it */}
        <p role="status" className="flex flex-wrap gap-2">
          {suspended && (
            <Badge icon={Ban} tone="danger">
              {m.person_suspended()}
            </Badge>
          )}
          {limited && (
            <Badge icon={Gauge} tone="warn">
              {m.person_limited()}
            </Badge>
          )}
          {!suspended && !limited && (
            <Badge icon={ShieldCheck} tone="good">
              {m.person_free()}
            </Badge>
          )}
        </p>
      </div>
      {user && (
        <>
          <dl className="grid grid-cols-2 gap-x-8 gap-y-4 lg:grid-cols-4">
            <Detail name={m.admin_users_name()}>
              {user.full_name ? verbatim(user.full_name, user.full_name) : m.admin_users_no_name()}
            </Detail>
            <Detail name={m.admin_user_since()}>
              <DateTime iso={user.created_at} />
            </Detail>
            <Detail name={m.admin_user_last()}>
              {user.last_sign_in_at ? <DateTime iso={user.last_sign_in_at} /> : m.admin_user_never()}
            </Detail>
            <Detail name={m.admin_user_two_step()}>
              {user.factors > 0 ? m.admin_user_factors({ count: user.factors }) : m.admin_user_no_factor()}
            </Detail>
          </dl>
          <Link
            to={paths.adminVehicles({ email: user.email })}
            className="link inline-flex items-center gap-1.5 justify-self-start py-2.5"
          >
            <CarFront aria-hidden="true" className="size-5 shrink-0" />
            {m.person_vehicles()}
          </Link>
        </>
      )}
    </Card>
  )
}

function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid min-w-0 content-start gap-0.5">
      <dt className="text-sm text-ink-soft">{name}</dt>
      <dd className="font-bold">{children}</dd>
    </div>
  )
}

/** Shows a heading and a list below it; nothing when the list is empty. */
function Section({ title, children }: { title: string; children: ReactNode[] }) {
  const id = useId()
  if (children.length === 0) return null
  return (
    <section aria-labelledby={id} className="grid gap-3">
      <h2 id={id} className="text-xl font-bold">
        {title}
      </h2>
      <ul className={listClass}>{children}</ul>
    </section>
  )
}

const listClass = 'divide-y divide-line rounded-2xl border border-line bg-surface shadow-card'
const itemClass = 'grid gap-2 px-5 py-4 sm:px-6'

const byWhom = (email: string | null) =>
  email === null ? m.person_by_command() : verbatim(m.person_by({ who: email }), email)

/** Lists the decisions about a person with their appeals, and the reports of their messages. */
export function History({ person: { sanctions, cases } }: Props) {
  if (sanctions.length === 0 && cases.length === 0) return <p className="text-ink-soft">{m.person_no_history()}</p>
  return (
    <>
      <Section title={m.person_sanctions()}>
        {sanctions.map((sanction) => (
          <li key={sanction.id} className={itemClass}>
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span className="font-bold">{sanctionKindText(sanction.kind)}</span>
              <DateTime iso={sanction.created_at} />
              <span className="text-ink-soft">{byWhom(sanction.decided_by_email)}</span>
              <StateOf sanction={sanction} />
            </p>
            <TypedText>{sanction.reason ?? m.person_no_reason()}</TypedText>
            {sanction.lift_reason !== null && (
              <TypedText className="text-ink-soft">
                <span className="font-bold">{m.person_lift_reason()}: </span>
                {sanction.lift_reason}
              </TypedText>
            )}
            <AppealOf sanction={sanction} />
            {sanction.case_id && <CaseLink id={sanction.case_id} at={sanction.created_at} />}
          </li>
        ))}
      </Section>
      <Section title={m.person_cases()}>
        {cases.map(({ id, created_at, state }) => (
          <li key={id} className="flex flex-wrap items-center gap-3 px-5 py-3 sm:px-6">
            <CaseLink id={id} at={created_at} />
            <Badge tone={state === 'open' ? 'warn' : 'neutral'}>
              {state === 'open' ? m.person_case_open() : m.person_case_closed()}
            </Badge>
          </li>
        ))}
      </Section>
    </>
  )
}

function StateOf({ sanction: { kind, in_force, ends_at, lifted_at } }: { sanction: PersonSanction }) {
  if (in_force) {
    const until = ends_at ? m.person_until({ date: formatDate(ends_at) }) : m.person_no_end()
    return (
      <Badge tone="danger">
        {m.person_in_force()}, {until}
      </Badge>
    )
  }
  if (lifted_at) return <Badge tone="good">{m.person_lifted({ date: formatDate(lifted_at) })}</Badge>
  return isLasting(kind) && ends_at ? <Badge>{m.person_ended({ date: formatDate(ends_at) })}</Badge> : null
}

function AppealOf({ sanction: { appeal } }: { sanction: PersonSanction }) {
  if (!appeal) return null
  const date = formatDate(appeal.created_at)
  if (appeal.upheld === null) {
    return (
      <Link to={paths.adminInbox('appeal', appeal.id)} className="link justify-self-start py-1">
        {m.person_appeal_open({ date })}
      </Link>
    )
  }
  return <p>{appeal.upheld ? m.person_appeal_kept({ date }) : m.person_appeal_lifted({ date })}</p>
}

const CaseLink = ({ id, at }: { id: string; at: string }) => (
  <Link to={paths.adminInbox('report', id)} className="link justify-self-start py-1">
    {m.person_case({ date: formatDate(at) })}
  </Link>
)

/** Lists the present accounts of a person, without the one that is shown in full. */
export function Accounts({ person: { accounts }, shownId }: Props & { shownId: string | null }) {
  if (accounts.length === 0) return <p className="text-ink-soft">{m.person_no_accounts()}</p>
  const others = accounts.filter(({ id }) => id !== shownId)
  return (
    <Section title={shownId === null ? m.person_accounts() : m.person_other_accounts()}>
      {others.map(({ id, address, created_at, is_admin }) => (
        <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-5 py-3 sm:px-6">
          <Link to={paths.adminUser(id)} translate="no" className="link py-1">
            {address}
          </Link>
          <span className="text-ink-soft">{m.person_account_since({ date: formatDate(created_at) })}</span>
          {is_admin && <Badge>{m.person_account_admin()}</Badge>}
        </li>
      ))}
    </Section>
  )
}
