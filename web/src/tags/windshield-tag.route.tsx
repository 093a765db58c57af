import { useMutation, useQuery } from '@tanstack/react-query'
import { Printer } from 'lucide-react'
import { useState } from 'react'
import { Navigate, useSearchParams } from 'react-router'
import { paths } from '#contract/paths.ts'
import { deleteTag } from '#contract/tags.ts'
import { formatDate } from '~/lib/dates/dates'
import { call } from '~/lib/http/api'
import { getLocale, href } from '~/lib/i18n/i18n'
import { privatePageMeta } from '~/lib/page/page-meta'
import { queryClient } from '~/lib/query/query-client'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { PageHeader } from '~/ui/PageHeader'
import { Select } from '~/ui/Select'
import { Loading, Skeleton } from '~/ui/Skeleton'
import { ConfirmDialog } from '~/ui/signed-in/ConfirmDialog'
import { Loaded, LoadedPart } from '~/ui/signed-in/LoadedPart'
import { ownTagsQuery, useMakeTag } from './queries.ts'

export const meta = () => privatePageMeta(m.windshield_title())

// loaded on demand, with the code that draws QR codes
const loadPaper = () => import('./TagPaper.tsx')
const paperSkeleton = <Skeleton className="h-80 w-full" />

/** Renders /dashboard/windshield-tag?id=<vehicle>: makes, shows, prints and revokes the tag of a vehicle (decision windshield-tag). */
export default function WindshieldTagPage() {
  const [params] = useSearchParams()
  const id = params.get('id')
  return id ? <VehicleTag vehicleId={id} /> : <Navigate to={href(paths.vehicles())} replace />
}

/** How a tag can be printed. */
const PAPER_SIZES = { letter: m.windshield_letter, a6: m.windshield_a6, window: m.windshield_window }

function VehicleTag({ vehicleId }: { vehicleId: string }) {
  const query = useQuery(ownTagsQuery)
  const [size, setSize] = useState('letter')
  const [asks, setAsks] = useState<'revoke' | 'replace' | null>(null)
  const make = useMakeTag(vehicleId)
  const revoke = useMutation({
    mutationFn: () => call(deleteTag, { id: vehicleId }, { withTimeout: true }),
    onSuccess: () => toast.success(m.windshield_revoked()),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ownTagsQuery.queryKey }),
  })

  return (
    <div className="max-w-3xl">
      <div className="print:hidden">
        <PageHeader back={{ to: paths.vehicles(vehicleId), text: m.nav_vehicles() }} title={m.windshield_title()}>
          {m.windshield_intro()}
        </PageHeader>
      </div>
      <Loaded query={query} skeleton={paperSkeleton}>
        {(tags) => {
          const tag = tags.find(({ vehicle_id }) => vehicle_id === vehicleId)
          return tag === undefined ? (
            <Card className="grid justify-items-start gap-4">
              <ul className="grid list-disc gap-2 ps-5">
                <li>{m.windshield_point_plate()}</li>
                <li>{m.windshield_point_words()}</li>
                <li>{m.windshield_point_end()}</li>
              </ul>
              <Button variant="primary" size="lg" pending={make.isPending} onClick={() => make.mutate()}>
                {m.windshield_make()}
              </Button>
            </Card>
          ) : (
            <>
              <LoadedPart name="tag paper" load={loadPaper} skeleton={<Loading>{paperSkeleton}</Loading>}>
                {({ TagPaper }) => (
                  <>
                    <div className="flex flex-wrap items-end gap-3 print:hidden">
                      <div className="min-w-[min(13rem,100%)] flex-1 sm:flex-none">
                        <Select
                          label={m.windshield_size()}
                          options={Object.entries(PAPER_SIZES).map(([value, label]) => ({ value, label: label() }))}
                          value={size}
                          onChange={(event) => setSize(event.target.value)}
                        />
                      </div>
                      <Button
                        icon={Printer}
                        variant="primary"
                        size="lg"
                        className="flex-1 sm:flex-none"
                        onClick={() => print()}
                      >
                        {m.windshield_print()}
                      </Button>
                    </div>
                    <div className="my-6 rounded-2xl border border-line bg-sunken p-4 sm:p-8 print:m-0 print:border-0 print:bg-transparent print:p-0">
                      <TagPaper url={tag.url} digits={tag.digits} size={size} locale={getLocale()} />
                    </div>
                  </>
                )}
              </LoadedPart>
              <div className="grid gap-3 print:hidden">
                <p className="text-ink-soft">{m.windshield_made_on({ date: formatDate(tag.created_at) })}</p>
                <div className="flex flex-wrap gap-3">
                  <Button onClick={() => setAsks('replace')}>{m.windshield_replace()}</Button>
                  <Button variant="ghost" className="text-danger!" onClick={() => setAsks('revoke')}>
                    {m.windshield_revoke()}
                  </Button>
                </div>
              </div>
              <ConfirmDialog
                open={asks !== null}
                onOpenChange={(open) => !open && setAsks(null)}
                title={asks === 'replace' ? m.windshield_replace_title() : m.windshield_revoke_title()}
                confirmText={asks === 'replace' ? m.windshield_replace() : m.windshield_revoke()}
                onConfirm={() => (asks === 'replace' ? make : revoke).mutateAsync()}
              >
                {m.windshield_dead()}
              </ConfirmDialog>
            </>
          )
        }}
      </Loaded>
    </div>
  )
}
