import { Monitor, Smartphone, Tablet } from 'lucide-react'
import type { ActiveSession } from '#contract/profile.ts'
import { parseUserAgent, type UserAgent } from '#contract/user-agent.ts'
import { m } from '~/paraglide/messages'
import { Badge } from '~/ui/Badge'
import { RelativeTime } from '~/ui/signed-in/RelativeTime'

const ICONS: Record<string, typeof Monitor> = { iPhone: Smartphone, Android: Smartphone, iPad: Tablet }

function deviceName({ browser, system }: UserAgent): string {
  if (browser && system) return m.device_on_system({ browser, system })
  return browser ?? system ?? m.profile_device_unknown()
}

/** Shows one browser that the user is signed in with. */
export function SessionItem({ session }: { session: ActiveSession }) {
  const device = parseUserAgent(session.user_agent)
  const Icon = ICONS[device.system ?? ''] ?? Monitor
  return (
    <li className="flex gap-3 py-4">
      <Icon aria-hidden="true" className="size-6 shrink-0 text-ink-soft" strokeWidth={1.75} />
      <div className="grid min-w-0 gap-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <p className="font-bold">{deviceName(device)}</p>
          {session.current && <Badge tone="good">{m.profile_device_this()}</Badge>}
        </div>
        <p className="flex flex-wrap gap-x-3 text-sm text-ink-soft">
          <span>
            {session.current ? (
              m.profile_device_now() // the server records activity only once an hour
            ) : (
              <>
                {m.profile_device_seen()} <RelativeTime iso={session.last_seen_at} />
              </>
            )}
          </span>
          <span>
            {m.profile_device_since()} <RelativeTime iso={session.signed_in_at} />
          </span>
        </p>
      </div>
    </li>
  )
}
