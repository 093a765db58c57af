import { m } from '~/paraglide/messages'
import { Card } from '~/ui/Card'
import { Loading, Skeleton } from '~/ui/Skeleton'

/** Fills a page with grey shapes while a link from an email is checked. */
export function AuthSkeleton({ text }: { text: string }) {
  return (
    <>
      <noscript>
        <p className="pb-6 font-semibold">{m.auth_needs_scripts()}</p>
      </noscript>
      <Loading text={text}>
        <Skeleton className="mb-6 h-10 w-3/4" />
        <Card className="grid gap-4">
          <Skeleton className="h-5" />
          <Skeleton className="h-5 w-2/3" />
          <Skeleton className="mt-2 h-13" />
          <Skeleton className="h-11" />
        </Card>
      </Loading>
    </>
  )
}
