import { type ReactNode, useId } from 'react'
import { paths } from '#contract/paths.ts'
import type { AdminPerson, PersonSanction } from '#contract/people.ts'
import { isLasting } from '#contract/sanctions.ts'
import { formatDate } from '~/lib/dates/dates'
import { Link } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { Badge } from '~/ui/Badge'
import { DateTime } from '~/ui/signed-in/RelativeTime'
import { sanctionKindText } from './sanction-kind-text.ts'

type Props = { person: AdminPerson }

/** Shows a heading and a list below it, or a sentence when there is nothing. */
function Section({ title, empty, children }: { title: string; empty: string; children: ReactNode[] }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="grid gap-3">
      <h2 id={id} className="text-xl font-bold">
        {title}
      </h2>
      {children.length === 0 ? (
        <p className="text-ink-soft">{empty}</p>
      ) : (
        <ul className="divide-y divide-line rounded-2xl border border-line bg-surface shadow-card">{children}</ul>
      )}
    </section>
  )
}

const itemClass = 'grid gap-2 px-5 py-4 sm:px-6'

const byWhom = (email: string | null) => (email === null ? m.person_by_command() : m.person_by({ who: email }))

/** Lists the decisions about a person, and their appeals. */
export function Sanctions({ person: { sanctions } }: Props) {
  return (
    <Section title={m.person_sanctions()} empty={m.person_no_sanctions()}>
      {sanctions.map((sanction) => (
        <li key={sanction.id} className={itemClass}>
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="font-bold">{sanctionKindText(sanction.kind)}</span>
            <DateTime iso={sanction.created_at} />
            <span className="text-ink-soft wrap-anywhere">{byWhom(sanction.decided_by_email)}</span>
            <StateOf sanction={sanction} />
          </p>
          <p className="max-w-prose whitespace-pre-line wrap-anywhere">{sanction.reason ?? m.person_no_reason()}</p>
          {sanction.lift_reason !== null && (
            <p className="max-w-prose whitespace-pre-line wrap-anywhere text-ink-soft">
              <span className="font-bold">{m.person_lift_reason()}: </span>
              {sanction.lift_reason}
            </p>
          )}
          <AppealOf sanction={sanction} />
          {sanction.case_id && <CaseLink id={sanction.case_id} at={sanction.created_at} />}
        </li>
      ))}
    </Section>
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

/** Lists the cases about a person. */
export function Cases({ person: { cases } }: Props) {
  return (
    <Section title={m.person_cases()} empty={m.person_no_cases()}>
      {cases.map(({ id, created_at, state }) => (
        <li key={id} className="flex flex-wrap items-center gap-3 px-5 py-3 sm:px-6">
          <CaseLink id={id} at={created_at} />
          <Badge tone={state === 'open' ? 'warn' : 'neutral'}>
            {state === 'open' ? m.person_case_open() : m.person_case_closed()}
          </Badge>
        </li>
      ))}
    </Section>
  )
}

/** Lists the present accounts of a person. */
export function Accounts({ person: { accounts } }: Props) {
  return (
    <Section title={m.person_accounts()} empty={m.person_no_accounts()}>
      {accounts.map(({ id, address, created_at, is_admin }) => (
        <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-5 py-3 sm:px-6">
          <Link to={paths.adminUser(id)} className="link py-1 wrap-anywhere">
            {address}
          </Link>
          <span className="text-ink-soft">{m.person_account_since({ date: formatDate(created_at) })}</span>
          {is_admin && <Badge>{m.person_account_admin()}</Badge>}
        </li>
      ))}
    </Section>
  )
}

const openingTexts: Record<string, () => string> = {
  appeal_opened: m.person_opening_appeal,
  report_opened: m.person_opening_report,
  person_looked_up: m.person_opening_page,
}

/** Lists which admins opened which texts about a person, and for what purpose. */
export function Openings({ person: { openings } }: Props) {
  return (
    <Section title={m.person_openings()} empty={m.person_no_openings()}>
      {openings.map(({ id, at, action, actor_email, purpose }) => (
        <li key={id} className={itemClass}>
          <p className="flex flex-wrap gap-x-3">
            <span className="font-bold">{openingTexts[action]?.() ?? action}</span>
            <DateTime iso={at} />
            <span className="text-ink-soft wrap-anywhere">{byWhom(actor_email)}</span>
          </p>
          {purpose !== null && <p className="max-w-prose whitespace-pre-line wrap-anywhere">{purpose}</p>}
        </li>
      ))}
    </Section>
  )
}
