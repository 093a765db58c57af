import { Loading, Skeleton } from '~/ui/Skeleton'

const ROWS = ['first', 'second', 'third']

/** Stands in for the dashboard while its data loads. */
export function DashboardSkeleton() {
  return (
    <Loading>
      <div className="grid gap-5">
        <div className="grid grid-cols-2 gap-3 sm:gap-5">
          {['vehicles', 'messages'].map((stat) => (
            <div key={stat} className="grid gap-3 rounded-2xl border border-line bg-surface p-4 sm:p-6">
              <Skeleton className="h-4 w-24" />
              <Skeleton className="h-9 w-14" />
              <Skeleton className="h-3.5 w-20" />
            </div>
          ))}
        </div>
        <div className="grid gap-5 xl:grid-cols-2">
          {['messages', 'vehicles'].map((panel) => (
            <div key={panel} className="grid gap-6 rounded-2xl border border-line bg-surface p-5 sm:p-6">
              <Skeleton className="h-6 w-40" />
              {ROWS.map((row) => (
                <div key={row} className="flex gap-4">
                  <Skeleton className="h-14 w-28 shrink-0" />
                  <div className="grid flex-1 content-start gap-2">
                    <Skeleton className="h-4 w-full" />
                    <Skeleton className="h-4 w-1/2" />
                  </div>
                </div>
              ))}
            </div>
          ))}
        </div>
      </div>
    </Loading>
  )
}
