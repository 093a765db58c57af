import { useInfiniteQuery } from '@tanstack/react-query'
import { Monitor, Smartphone, Tablet } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ActiveSession } from '#contract/profile.ts'
import { parseUserAgent, type UserAgent } from '#contract/user-agent.ts'
import { EventItem } from '~/account-events/EventItem'
import { verbatim } from '~/lib/i18n/verbatim'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { flattenPages } from '~/lib/query/paged'
import { queryClient } from '~/lib/query/query-client'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { Badge } from '~/ui/Badge'
import { ConfirmButton } from '~/ui/signed-in/ConfirmDialog'
import { RelativeTime } from '~/ui/signed-in/RelativeTime'
import { sectionButtonClass } from './frame/ProfileSection.tsx'
import { ListSection } from './ListSection.tsx'
import { accountEventsQuery, factorsQuery, sessionsQuery, signedInAuthRequest } from './queries.ts'
import { TwoStep } from './TwoStep.tsx'

export const handle: RouteHandle = { prefetch: [factorsQuery, sessionsQuery, accountEventsQuery] }

export const meta = () => privatePageMeta(`${m.profile_part_security()} · ${m.profile_title()}`)

/** Renders the part of the profile about who gets into the account. */
export default function Security() {
  return (
    <>
      <TwoStep />
      <Sessions />
      <ListSection
        title={m.profile_events()}
        intro={m.profile_events_intro()}
        list={useInfiniteQuery(accountEventsQuery)}
        empty={m.events_none()}
      >
        {(events) => events.map((event) => <EventItem key={event.id} event={event} />)}
      </ListSection>
    </>
  )
}

/** Lists where the user is signed in, this browser first, and can end every other session. */
function Sessions() {
  const list = useInfiniteQuery(sessionsQuery)
  return (
    <ListSection
      title={m.profile_sessions()}
      list={list}
      // the server records activity only once an hour, so that this browser is not always the latest
      compare={(a, b) => Number(b.current) - Number(a.current)}
      footer={flattenPages(list.data).some(({ current }) => !current) && <EndOtherSessions />}
    >
      {(sessions) => sessions.map((session) => <SessionItem key={session.id} session={session} />)}
    </ListSection>
  )
}

const ICONS: Record<string, typeof Monitor> = { iPhone: Smartphone, Android: Smartphone, iPad: Tablet }

function deviceName({ browser, system }: UserAgent): ReactNode {
  if (browser && system) return verbatim(m.device_on_system({ browser, system }), browser, system)
  return browser ?? system ?? m.profile_device_unknown()
}

/** Shows one browser that the user is signed in with. */
function SessionItem({ session }: { session: ActiveSession }) {
  const device = parseUserAgent(session.user_agent)
  const Icon = ICONS[device.system ?? ''] ?? Monitor
  return (
    <li className="flex gap-3 py-2">
      <Icon aria-hidden="true" className="size-6 shrink-0 text-ink-soft" strokeWidth={1.75} />
      <div className="grid min-w-0 gap-0.5">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <p className="font-bold">{deviceName(device)}</p>
          {session.current && <Badge tone="good">{m.profile_device_this()}</Badge>}
        </div>
        <p className="text-sm text-ink-soft">
          {session.current ? (
            m.profile_device_now()
          ) : (
            <>
              {m.profile_device_seen()} <RelativeTime iso={session.last_seen_at} />
            </>
          )}
        </p>
      </div>
    </li>
  )
}

/** Ends every session but this one, after a confirmation. */
function EndOtherSessions() {
  const end = async () => {
    await signedInAuthRequest(m.error_unexpected(), async ({ auth }) => ({
      data: null,
      ...(await auth.signOut({ scope: 'others' })),
    })).then(() => toast.success(m.profile_sessions_ended()), toast.error)
    void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
  }
  return (
    <ConfirmButton
      className={sectionButtonClass}
      confirm={{
        title: m.profile_sessions_end_title(),
        description: m.profile_sessions_end_text(),
        confirmText: m.profile_sessions_end(),
        pendingText: m.profile_sessions_ending(),
        onConfirm: end,
      }}
    >
      {m.profile_sessions_end()}
    </ConfirmButton>
  )
}
