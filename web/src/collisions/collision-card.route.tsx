import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, Printer } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Navigate, useSearchParams } from 'react-router'
import type { CollisionCard } from '#contract/collisions.ts'
import { paths } from '#contract/paths.ts'
import { PRODUCT } from '#contract/product.ts'
import { provinceName } from '#contract/provinces.ts'
import { formatDateTime } from '~/lib/dates/dates'
import { ApiError } from '~/lib/http/api'
import { getLocale, href, Link } from '~/lib/i18n/i18n'
import { privatePageMeta } from '~/lib/page/page-meta'
import { now } from '~/lib/time/now'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { ErrorState } from '~/ui/ErrorState'
import { PageHeader } from '~/ui/PageHeader'
import { Loading, Skeleton } from '~/ui/Skeleton'
import { cardQuery } from './queries.ts'

export const meta = () => privatePageMeta(m.collision_page_title())

/** Renders /dashboard/collision-card?id=…: the card of particulars of a message, to read, print or save. */
export default function CollisionCardPage() {
  const [params] = useSearchParams()
  const id = params.get('id')
  return id ? <Card id={id} /> : <Navigate to={href(paths.messages('received'))} replace />
}

function Card({ id }: { id: string }) {
  const { data: card, error, refetch } = useQuery(cardQuery(id))
  return (
    <div className="max-w-3xl">
      <Link to={paths.messages('received', id)} className="link inline-flex items-center gap-1.5 py-2.5 print:hidden">
        <ArrowLeft aria-hidden="true" className="size-4" />
        {m.collision_page_back()}
      </Link>
      <PageHeader title={m.collision_page_title()}>{card && m.collision_not_a_report()}</PageHeader>
      {card ? (
        <ShownCard card={card} />
      ) : error instanceof ApiError && [400, 404].includes(error.status) ? (
        <p role="status" className="rounded-xl border border-line bg-sunken p-4">
          {m.collision_page_gone()}
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

function ShownCard({ card }: { card: CollisionCard }) {
  const [printedAt] = useState(() => new Date(now()).toISOString())
  const { name, phone, address, insurer, policy, plate } = card.particulars
  const entries: [string, string | null][] = [
    [m.collision_name(), name],
    [m.collision_phone(), phone],
    [m.collision_address(), address],
    [m.collision_insurer(), insurer],
    [m.collision_policy(), policy],
    [m.collision_plate(), plate],
    [m.collision_page_vehicle(), card.plate],
    [m.collision_page_where(), provinceName(card.province, getLocale())],
    [m.collision_page_at(), formatDateTime(card.sent_at)],
    [m.collision_page_number(), card.id],
  ]
  return (
    <>
      <article className="rounded-2xl border border-line bg-surface p-4 shadow-card sm:p-6 print:border-0 print:p-0 print:shadow-none">
        <dl className="grid gap-5">
          {entries.map(([label, value]) => value !== null && <Entry key={label} name={label} value={value} />)}
        </dl>
        {card.photos.length > 0 && (
          <div className="grid gap-4 pt-6">
            {card.photos.map((photo, i) => (
              <img
                key={photo.slice(-64)}
                src={photo}
                alt={m.collision_photo({ number: i + 1 })}
                className="max-h-[24rem] max-w-full break-inside-avoid-page rounded-lg"
              />
            ))}
          </div>
        )}
        <p className="mt-6 border-t border-line pt-4 text-sm text-ink-soft">
          {m.collision_page_printed({ date: formatDateTime(printedAt), product: PRODUCT })}
        </p>
      </article>
      <Button variant="primary" size="lg" className="mt-5 w-full sm:w-auto print:hidden" onClick={() => print()}>
        <Printer aria-hidden="true" className="size-5" />
        {m.collision_page_print()}
      </Button>
    </>
  )
}

const Entry = ({ name, value }: { name: string; value: ReactNode }) => (
  <div className="grid gap-1 break-inside-avoid-page sm:grid-cols-[11rem_1fr] sm:gap-4">
    <dt className="text-ink-soft">{name}</dt>
    <dd className="min-w-0 font-bold wrap-anywhere">{value}</dd>
  </div>
)
