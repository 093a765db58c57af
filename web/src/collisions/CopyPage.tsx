import { useQuery } from '@tanstack/react-query'
import { Printer } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Navigate, useSearchParams } from 'react-router'
import type * as z from 'zod/mini'
import type { Endpoint, IdParam } from '#contract/endpoint.ts'
import { paths } from '#contract/paths.ts'
import { formatDateTime } from '~/lib/dates/dates'
import { ApiError } from '~/lib/http/api'
import { href } from '~/lib/i18n/i18n'
import { endpointQuery } from '~/lib/query/paged'
import { now } from '~/lib/time/now'
import { Button } from '~/ui/Button'
import { ErrorState } from '~/ui/ErrorState'
import { PageHeader } from '~/ui/PageHeader'
import { Loading, Skeleton } from '~/ui/Skeleton'

type Props<Copied> = {
  /** Returns what the address names (`?id=`). */
  endpoint: Endpoint<typeof IdParam, z.ZodMiniType<Copied>>
  back: { text: string; to: (id: string, copied: Copied | undefined) => string }
  title: string
  intro: (copied: Copied) => string
  gone: string
  made: (date: string) => string
  print: string
  /** Shown on the sheet. */
  children: (copied: Copied) => ReactNode
}

/** Shows a sheet to read, to print or to save: the copy of a message, a card of particulars. */
export function CopyPage<Copied>(props: Props<Copied>) {
  const [params] = useSearchParams()
  const id = params.get('id')
  // an address that names no message
  return id ? <Copy id={id} {...props} /> : <Navigate to={href(paths.messages('received'))} replace />
}

function Copy<Copied>({
  id,
  endpoint,
  back,
  title,
  intro,
  gone,
  made,
  print,
  children,
}: Props<Copied> & { id: string }) {
  const { data: copied, error, refetch } = useQuery(endpointQuery(['messages', endpoint.path, id], endpoint, { id }))
  const [copiedAt] = useState(() => new Date(now()).toISOString())
  return (
    <div className="max-w-3xl">
      <PageHeader back={{ to: back.to(id, copied), text: back.text }} title={title}>
        {copied && intro(copied)}
      </PageHeader>
      {copied ? (
        <>
          <article className="rounded-2xl border border-line bg-surface p-4 shadow-card sm:p-6 print:border-0 print:p-0 print:shadow-none">
            {children(copied)}
            <p className="mt-6 border-t border-line pt-4 text-sm text-ink-soft">{made(formatDateTime(copiedAt))}</p>
          </article>
          <Button
            icon={Printer}
            variant="primary"
            size="lg"
            className="mt-5 w-full sm:w-auto print:hidden"
            onClick={() => window.print()}
          >
            {print}
          </Button>
        </>
      ) : error instanceof ApiError && [400, 404].includes(error.status) ? (
        <p role="status" className="rounded-xl border border-line bg-sunken p-4">
          {gone}
        </p>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading>
          <Skeleton className="h-80 w-full" />
        </Loading>
      )}
    </div>
  )
}

type EntryProps = { name: string; className?: string; children: ReactNode }

/** Shows one fact on the sheet; several are a `dl`. */
export const CopyEntry = ({ name, className = 'grid min-w-0 justify-items-start gap-1', children }: EntryProps) => (
  <div className="grid gap-1 break-inside-avoid-page sm:grid-cols-[11rem_1fr] sm:gap-4">
    <dt className="text-ink-soft">{name}</dt>
    <dd className={className}>{children}</dd>
  </div>
)
