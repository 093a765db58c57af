import { QueryClientProvider } from '@tanstack/react-query'
import { Outlet, type ShouldRevalidateFunctionArgs } from 'react-router'
import { listDisputes } from '#contract/admin.ts'
import { PAGE_LIMIT_MAX } from '#contract/endpoint.ts'
import { paths } from '#contract/paths.ts'
import { addressOf } from '~/lib/api'
import { queryClient } from '~/lib/query-client'
import { requireAdmin, USER_ADDRESS } from '~/lib/require-admin'
import type { RouteHandle } from '~/lib/route-handle'
import { UserContext } from '~/lib/user'
import { OfflineBanner } from '~/ui/OfflineBanner'
import { Toasts } from '~/ui/Toasts'
import type { Route } from './+types/admin-layout.route'
import { AdminSidebar } from './AdminSidebar.tsx'
import { SessionUnknown } from './SessionUnknown.tsx'
import { SkipLink } from './SkipLink.tsx'
import { useLeaveWhenForbidden } from './use-leave-when-forbidden.ts'
import { useSessionEvents } from './use-session-events.ts'

export const handle: RouteHandle = { reads: [USER_ADDRESS, addressOf(listDisputes, { limit: PAGE_LIMIT_MAX })] }

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  return { user: await requireAdmin(request) }
}
clientLoader.hydrate = true as const

/** Typing into a filter changes the address: no reason to ask the server who one is. */
export const shouldRevalidate = ({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
  currentUrl.search === nextUrl.search && defaultShouldRevalidate

/** Nothing is shown before the server has confirmed the admin right (spec §2). */
export function HydrateFallback() {
  return null
}

/** The admin area. Pages show their own skeletons while their data comes; the frame stands at once. */
export default function AdminLayout({ loaderData: { user } }: Route.ComponentProps) {
  useSessionEvents(user.id, paths.adminLogin)
  useLeaveWhenForbidden()
  return (
    <QueryClientProvider client={queryClient}>
      <UserContext value={user}>
        <SkipLink />
        <div className="lg:grid lg:min-h-dvh lg:grid-cols-[17rem_1fr]">
          <AdminSidebar />
          <div className="min-w-0">
            <OfflineBanner />
            <main id="content" tabIndex={-1} className="max-w-5xl px-4 pt-6 pb-20 sm:px-8 lg:px-12 lg:pt-10">
              <Outlet />
            </main>
          </div>
        </div>
        <Toasts />
      </UserContext>
    </QueryClientProvider>
  )
}

/** The server did not say whether this is an admin. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <SessionUnknown error={error} />
}
