import { useMutation, useQuery } from '@tanstack/react-query'
import { CircleCheck, FileDown, Image } from 'lucide-react'
import { type ReactNode, useId, useRef, useState } from 'react'
import { openDocument, type SentDocument } from '#contract/documents.ts'
import { type AdminDispute, type DisputeSide, markDocuments } from '#contract/inbox.ts'
import { paths } from '#contract/paths.ts'
import { provinceName } from '#contract/provinces.ts'
import { vehicleCan } from '#contract/vehicles.ts'
import { AdminStatusBadge } from '~/admin/AdminStatusBadge'
import { rejectDraft, useConfirmDecision } from '~/admin/DecisionDialogs'
import { usePendingDecisions } from '~/admin/decisions'
import { ADMIN_QUERY_KEY } from '~/admin/frame/queries'
import { documentText } from '~/documents/queries'
import { formatDate, formatDateTime, formatDueDate } from '~/lib/dates/dates'
import { ApiError, authenticatedFetch, call } from '~/lib/http/api'
import { getLocale, Link } from '~/lib/i18n/i18n'
import { verbatim } from '~/lib/i18n/verbatim'
import { saveFile } from '~/lib/page/save-file'
import { queryClient } from '~/lib/query/query-client'
import { useNow } from '~/lib/time/use-now'
import { m } from '~/paraglide/messages'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { Checkbox } from '~/ui/Checkbox'
import { EmptyState } from '~/ui/EmptyState'
import { ErrorState } from '~/ui/ErrorState'
import { Plate } from '~/ui/Plate'
import { LoadedPart } from '~/ui/signed-in/LoadedPart'
import { DateTime } from '~/ui/signed-in/RelativeTime'
import { UnsentDraft } from '~/ui/signed-in/UnsentText'
import { VehicleName, vehicleName } from '~/vehicles/vehicle-name'
import { ItemHeader, type ItemProps, ItemSkeleton } from './ItemHeader.tsx'
import { describeDue, KINDS } from './inbox-texts.ts'
import { NumberKey } from './keyboard-shortcuts.tsx'
import { disputeQuery, removeFromLists } from './queries.ts'

/** Shows one dispute, in which admins decide who owns a plate (requirements §4, decision plate-disputes). */
export function DisputeItem({ id, onDone }: ItemProps) {
  const { data: dispute, error, refetch } = useQuery(disputeQuery(id))
  const isGone = error instanceof ApiError && error.status === 404
  if (dispute && !isGone) return <OpenDispute dispute={dispute} onDone={onDone} />
  return (
    <article className="grid gap-6">
      <ItemHeader kind="dispute" title={KINDS.dispute.name()} />
      {isGone ? (
        <>
          <EmptyState icon={CircleCheck} title={m.inbox_gone()} />
          {dispute &&
            [dispute.incumbent, dispute.challenger].map(({ vehicle_id }) => (
              <UnsentDraft key={vehicle_id} name={rejectDraft(vehicle_id)} />
            ))}
        </>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <ItemSkeleton />
      )}
    </article>
  )
}

type SideDecision = { action: 'approve' | 'reject'; side: DisputeSide }

/** The decisions that a dispute leaves, in the order of the number keys. */
const decisionsOf = ({ incumbent, challenger }: AdminDispute): SideDecision[] =>
  [incumbent, challenger].flatMap((side) =>
    (['approve', 'reject'] as const).filter((action) => vehicleCan(action, side)).map((action) => ({ action, side })),
  )

function OpenDispute({ dispute, onDone }: { dispute: AdminDispute; onDone: () => void }) {
  const { id, plate, province, opened_at, documents_due_at, incumbent, challenger } = dispute
  const main = useRef<HTMLElement>(null)
  const { openDialog, dialog } = useConfirmDecision(main, () => {
    removeFromLists(id)
    onDone()
  })
  const marking = useMarkDocuments(dispute)
  const { text: due, ...badge } = describeDue({ documents_due_at, documents_received_at: marking.receivedAt }, useNow())
  const decisions = decisionsOf(dispute)
  const pending = usePendingDecisions()
  const decide = ({ action, side }: SideDecision) =>
    openDialog({
      action,
      vehicle: { id: side.vehicle_id, plate: side.plate, province },
      text: consequencesOf(action, side, dispute),
      affectsOthers: true,
    })
  return (
    <article ref={main} tabIndex={-1} className="@container grid gap-6 outline-none">
      <ItemHeader kind="dispute" title={verbatim(`${plate}, ${provinceName(province, getLocale())}`, plate)}>
        <Badge {...badge}>{due}</Badge>
        <span>{m.dispute_opened({ date: formatDate(opened_at) })}</span>
        <Link to={paths.adminVehicles({ plate })} className="link inline-flex min-h-11 items-center">
          {m.dispute_see_vehicle()}
        </Link>
      </ItemHeader>
      <div className="grid gap-1">
        <p>{m.admin_documents_due({ date: formatDueDate(documents_due_at) })}</p>
        <Checkbox
          label={<span className="font-bold">{m.admin_documents_received()}</span>}
          checked={marking.receivedAt !== null}
          // what was uploaded has arrived, whatever is in it
          disabled={challenger.documents.length > 0}
          onChange={(event) => marking.mark(event.target.checked)}
        />
        <p role="status" className="max-w-prose pl-9 text-sm text-ink-soft">
          {marking.receivedAt
            ? m.dispute_received_at({ time: formatDateTime(marking.receivedAt) })
            : m.dispute_missing()}
        </p>
      </div>
      <div className="grid gap-4 @lg:grid-cols-2">
        {[incumbent, challenger].map((side) => (
          <Side
            key={side.vehicle_id}
            heading={side === incumbent ? m.dispute_incumbent() : m.dispute_challenger()}
            side={side}
            arrivedAt={side === incumbent ? incumbent.documents_arrived_at : marking.receivedAt}
            province={province}
          >
            {decisions.map(
              (decision, i) =>
                decision.side === side && (
                  <Button key={decision.action} pending={pending.length > 0} onClick={() => decide(decision)}>
                    <NumberKey number={i + 1} />
                    {decision.action === 'approve' ? m.admin_approve() : m.admin_reject()}
                    <span className="sr-only">
                      {side === incumbent ? m.dispute_incumbent() : m.dispute_challenger()}
                    </span>
                  </Button>
                ),
            )}
          </Side>
        ))}
      </div>
      {dialog}
    </article>
  )
}

type SideProps = {
  heading: string
  side: DisputeSide
  /** When its documents arrived: of the challenger, what the page shows while a mark is on its way. */
  arrivedAt: string | null
  province: AdminDispute['province']
  children: ReactNode
}

/** Shows one side, and below it what an admin can decide about it. */
function Side({ heading, side, arrivedAt, province, children }: SideProps) {
  const { plate, status, owner_name, owner_email, registered_at, documents } = side
  const title = useId()
  return (
    <section
      aria-labelledby={title}
      className="grid grid-rows-[1fr_auto] gap-5 rounded-2xl border border-line bg-surface p-5 @lg:p-4"
    >
      <div className="grid content-start gap-3">
        <div className="grid justify-items-start gap-1.5">
          <h3 id={title} className="text-lg font-bold">
            {heading}
          </h3>
          <AdminStatusBadge status={status} />
        </div>
        <div className="flex items-center gap-3">
          <Plate plate={plate} province={province} size="sm" className="shrink-0" />
          <p className="font-bold">
            <VehicleName of={side} />
          </p>
        </div>
        <dl className="grid gap-3">
          <div>
            <dt className="text-sm text-ink-soft">{m.dispute_owner()}</dt>
            {owner_name && <dd translate="no">{owner_name}</dd>}
            <dd translate="no">{owner_email}</dd>
          </div>
          <div>
            <dt className="text-sm text-ink-soft">{m.dispute_registered()}</dt>
            <dd>
              <DateTime iso={registered_at} />
            </dd>
          </div>
          <SideDocuments arrivedAt={arrivedAt} documents={documents} plate={plate} side={heading} />
        </dl>
      </div>
      <div className="flex flex-wrap gap-2">{children}</div>
    </section>
  )
}

/** Notes that the documents of a challenger have arrived, or have not. It is shown at once, and undone when that fails. */
function useMarkDocuments({ id, documents_received_at }: AdminDispute) {
  const { isPending, submittedAt, variables, mutate } = useMutation({
    mutationKey: [ADMIN_QUERY_KEY, 'documents', id],
    scope: { id: 'admin-documents' }, // quick changes reach the server in order
    mutationFn: (documents_received: boolean) => call(markDocuments, { id, documents_received }),
    onSuccess: (marked) => queryClient.setQueryData(disputeQuery(id).queryKey, marked),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: [ADMIN_QUERY_KEY] }),
  })
  // the server will record a slightly different time
  const pendingAt = variables ? (documents_received_at ?? new Date(submittedAt).toISOString()) : null
  return { mark: mutate, receivedAt: isPending ? pendingAt : documents_received_at }
}

/** Describes what follows from a decision, for the dialog that confirms it: who gets the plate, and who loses it. */
function consequencesOf(action: SideDecision['action'], side: DisputeSide, dispute: AdminDispute): ReactNode[] {
  const owner = side.owner_email
  if (action === 'reject') {
    const about = verbatim(m.admin_decide_about({ vehicle: vehicleName(side), owner }), vehicleName(side), owner)
    return [about, m.admin_reject_text(), m.admin_leaves_dispute()]
  }
  const { incumbent, challenger, other_challengers } = dispute
  const losers = new Set([incumbent.owner_email, challenger.owner_email, ...other_challengers])
  losers.delete(owner)
  const names = new Intl.ListFormat(getLocale(), { type: 'conjunction' }).format(losers)
  return [
    verbatim(m.admin_approve_wins({ winner: owner }), owner),
    verbatim(m.dispute_approve_text({ losers: names }), ...losers),
    m.admin_approve_final(),
  ]
}

// loaded on demand: few documents are opened
const loadImageViewer = () => import('~/attachments/ImageViewer')

type Props = {
  arrivedAt: string | null
  documents: SentDocument[]
  plate: string
  /** Names the side to screen readers. */
  side: string
}

/** Shows when the documents of one side arrived, and opens the uploaded ones: photos here, PDFs as files only. */
function SideDocuments({ arrivedAt, documents, plate, side }: Props) {
  const [image, setImage] = useState<string | null>(null)
  const close = () => {
    if (image) URL.revokeObjectURL(image)
    setImage(null)
  }
  const { mutate, isPending, variables } = useMutation({
    mutationFn: fetchDocument,
    onSuccess: (content, { kind }) => {
      if (kind === 'pdf') saveFile(content, `${plate}.pdf`)
      else setImage(URL.createObjectURL(content))
    },
  })
  return (
    <div>
      <dt className="text-sm text-ink-soft">{m.documents_of_side()}</dt>
      <dd className="grid gap-2">
        <span>
          {arrivedAt ? (
            <>
              {m.documents_side_arrived()} <DateTime iso={arrivedAt} />
            </>
          ) : (
            m.documents_side_none()
          )}
        </span>
        {documents.length > 0 && (
          <ul className="flex flex-wrap gap-2">
            {documents.map((document, index) => (
              <li key={document.id}>
                <Button
                  icon={document.kind === 'pdf' ? FileDown : Image}
                  pending={isPending && variables.id === document.id}
                  onClick={() => mutate(document)}
                >
                  {m.documents_open({ number: index + 1, document: documentText(document) })}
                  <span className="sr-only">{side}</span>
                </Button>
              </li>
            ))}
          </ul>
        )}
        {documents.length > 0 && <span className="text-sm text-ink-soft">{m.documents_audited()}</span>}
        {image && (
          <LoadedPart name="image viewer" load={loadImageViewer} skeleton={null}>
            {({ ImageViewer }) => <ImageViewer url={image} open onOpenChange={close} />}
          </LoadedPart>
        )}
      </dd>
    </div>
  )
}

/** Fetches a document of a dispute, which is recorded; no link to it exists that somebody else could follow. */
async function fetchDocument({ id }: SentDocument): Promise<Blob> {
  const response = await authenticatedFetch(openDocument.path.replace(':id', id), { method: openDocument.method })
  return response.blob()
}
