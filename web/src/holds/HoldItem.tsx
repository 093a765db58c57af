import { CalendarClock, LockOpen } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import type { Hold } from '#contract/holds.ts'
import { paths } from '#contract/paths.ts'
import { provinceName } from '#contract/provinces.ts'
import { formatDate } from '~/lib/dates/dates'
import { getLocale, Link } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { DateTime } from '~/ui/signed-in/RelativeTime'
import { type HoldAction, HoldDialog } from './HoldDialog.tsx'
import { formatDay } from './hold-days.ts'

/** Shows one hold, with buttons to extend or lift it while it is in force. */
export function HoldItem({ hold }: { hold: Hold }) {
  const title = useId()
  const [action, setAction] = useState<HoldAction>('extend')
  const [open, setOpen] = useState(false)
  const ask = (next: HoldAction) => {
    setAction(next)
    setOpen(true)
  }
  const { account, plate, province } = hold
  const name = account ? account.email : `${plate} · ${province && provinceName(province, getLocale())}`
  const hiddenName = <span className="sr-only"> {name}</span>
  return (
    <li aria-labelledby={title}>
      <Card className="grid gap-4">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <h2 id={title} className="text-lg font-bold wrap-anywhere">
            {account?.exists ? (
              <Link to={paths.adminUser(account.id)} className="link">
                {name}
              </Link>
            ) : (
              name
            )}
          </h2>
          <div className="flex flex-wrap gap-2">
            {account && !account.exists && <Badge>{m.hold_account_gone()}</Badge>}
            {hold.in_force ? (
              <Badge icon={CalendarClock} tone="warn">
                {m.hold_until({ date: formatDay(hold.ends_on) })}
              </Badge>
            ) : hold.lifted_at ? (
              <Badge icon={LockOpen}>{m.hold_lifted_on({ date: formatDate(hold.lifted_at) })}</Badge>
            ) : (
              <Badge icon={LockOpen}>{m.hold_ended_on({ date: formatDay(hold.ends_on) })}</Badge>
            )}
          </div>
        </div>
        <dl className="grid gap-3 sm:grid-cols-2">
          <Detail name={m.hold_reference()}>{hold.reference}</Detail>
          <Detail name={m.hold_kept()}>{m.hold_kept_count({ count: hold.kept })}</Detail>
          <Detail name={m.hold_reason()} wide>
            {hold.reason}
          </Detail>
          {hold.lift_reason !== null && (
            <Detail name={m.hold_lift_reason()} wide>
              {hold.lift_reason}
            </Detail>
          )}
        </dl>
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
          <p className="text-sm wrap-anywhere text-ink-soft">
            {hold.placed_by} · <DateTime iso={hold.created_at} />
          </p>
          {hold.in_force && (
            <div className="flex flex-wrap gap-3">
              <Button onClick={() => ask('extend')}>
                {m.hold_extend()}
                {hiddenName}
              </Button>
              <Button variant="danger" onClick={() => ask('lift')}>
                {m.hold_lift()}
                {hiddenName}
              </Button>
              <HoldDialog hold={hold} action={action} open={open} onOpenChange={setOpen} />
            </div>
          )}
        </div>
      </Card>
    </li>
  )
}

function Detail({ name, wide = false, children }: { name: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={wide ? 'sm:col-span-2' : undefined}>
      <dt className="text-sm text-ink-soft">{name}</dt>
      <dd className="max-w-prose whitespace-pre-line wrap-anywhere">{children}</dd>
    </div>
  )
}
