import clsx from 'clsx'
import { Ban, KeyRound, LogIn, LogOut, type LucideIcon, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AccountEvent, AccountEventType } from '#contract/account-events.ts'
import { verbatim } from '~/lib/i18n/verbatim'
import { m } from '~/paraglide/messages'
import { Badge } from '~/ui/Badge'
import { DateTime } from '~/ui/signed-in/RelativeTime'

type Look = { icon: LucideIcon; text: () => string; alarming?: true }

const LOOKS: Record<AccountEventType, Look> = {
  sign_in: { icon: LogIn, text: m.event_sign_in },
  sign_in_failed: { icon: TriangleAlert, text: m.event_sign_in_failed, alarming: true },
  sign_in_refused: { icon: Ban, text: m.event_sign_in_refused, alarming: true },
  link_used: { icon: LogIn, text: m.event_link_used },
  factor_added: { icon: KeyRound, text: m.event_factor_added },
  factor_used: { icon: KeyRound, text: m.event_factor_used },
  factor_failed: { icon: TriangleAlert, text: m.event_factor_failed, alarming: true },
  factor_removed: { icon: KeyRound, text: m.event_factor_removed },
  session_ended: { icon: LogOut, text: m.event_session_ended },
  suspended: { icon: Ban, text: m.event_suspended, alarming: true },
  suspension_lifted: { icon: LogIn, text: m.event_suspension_lifted },
  email_change_requested: { icon: KeyRound, text: m.event_email_change_requested },
  email_changed: { icon: KeyRound, text: m.event_email_changed },
  changes_undone: { icon: TriangleAlert, text: m.event_changes_undone, alarming: true },
}

/** Returns icon and text of an event. A newer server may send events that this page does not know. */
const lookOf = ({ type }: AccountEvent): Look => LOOKS[type] ?? { icon: KeyRound, text: () => type }

/**
 * Shows one event as a list item.
 *
 * @param props.showNetworks names its network instead of only saying that it is not the present one: for admins, who compare
 */
export function EventItem({ event, showNetworks = false }: { event: AccountEvent; showNetworks?: boolean }) {
  const { icon: Icon, text, alarming } = lookOf(event)
  const network = networkText(event, showNetworks)
  return (
    <li className="flex gap-3 py-2">
      <Icon aria-hidden="true" className={clsx('mt-0.5 size-5 shrink-0', alarming ? 'text-danger' : 'text-ink-soft')} />
      <div className="grid min-w-0 gap-0.5">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <p className={clsx('font-bold', alarming && 'text-danger')}>{text()}</p>
          {event.current_session && event.type !== 'session_ended' && (
            <Badge tone="good">{m.event_this_device()}</Badge>
          )}
        </div>
        <p className="flex flex-wrap gap-x-3 text-sm text-ink-soft">
          <DateTime iso={event.at} />
          {event.device !== null && <span>{deviceText(event.device)}</span>}
          {network !== null && <span>{network}</span>}
        </p>
      </div>
    </li>
  )
}

/** Returns a device as people say it; the server names browser and system. */
function deviceText(device: string): ReactNode {
  const [browser = '', system] = device.split(' · ')
  return verbatim(system === undefined ? device : m.device_on_system({ browser, system }), browser, system ?? '')
}

function networkText({ network, same_network }: AccountEvent, showNetworks: boolean): ReactNode {
  if (network === null) return null
  if (showNetworks) return verbatim(m.event_network({ name: network }), network)
  return same_network ? null : m.event_network_other()
}
