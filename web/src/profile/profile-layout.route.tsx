import { Bell, CircleUserRound, Database, ShieldCheck } from 'lucide-react'
import { Outlet, useLocation } from 'react-router'
import { paths } from '#contract/paths.ts'
import { canonicalPath, NavLink } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { PageHeader } from '~/ui/PageHeader'

const PARTS = [
  { part: undefined, icon: CircleUserRound, text: m.profile_part_you },
  { part: 'notifications', icon: Bell, text: m.profile_part_notifications },
  { part: 'security', icon: ShieldCheck, text: m.profile_part_security },
  { part: 'data', icon: Database, text: m.profile_part_data },
] as const

/** Frames the parts of the profile, below /dashboard/profile and /admin/profile, with the links between them. */
export default function ProfileLayout() {
  const profile = canonicalPath(useLocation().pathname).startsWith(paths.admin()) ? paths.adminProfile : paths.profile
  return (
    <>
      <PageHeader title={m.profile_title()} />
      <div className="grid items-start gap-4 xl:grid-cols-[12rem_1fr] xl:gap-8">
        <nav
          aria-label={m.profile_title()}
          className="grid grid-cols-[repeat(auto-fit,minmax(8.5rem,1fr))] gap-1 sm:flex xl:grid xl:grid-cols-1"
        >
          {PARTS.map(({ part, icon: Icon, text }) => (
            <NavLink
              key={part ?? 'you'}
              to={profile(part)}
              end={part === undefined}
              className="flex min-h-11 items-center gap-2 rounded-[0.625rem] px-2 font-semibold text-ink-soft hover:bg-ink/6 hover:text-ink sm:px-3 aria-[current=page]:bg-surface aria-[current=page]:font-bold aria-[current=page]:text-ink aria-[current=page]:shadow-card"
            >
              <Icon aria-hidden="true" className="size-5 shrink-0" />
              {text()}
            </NavLink>
          ))}
        </nav>
        <div className="grid min-w-0 gap-3 sm:gap-4">
          <Outlet />
        </div>
      </div>
    </>
  )
}
