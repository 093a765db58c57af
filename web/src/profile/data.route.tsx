import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { type Block, deleteBlock } from '#contract/blocks.ts'
import { formatShortDate } from '~/lib/dates/dates'
import { ApiError, call } from '~/lib/http/api'
import { verbatim } from '~/lib/i18n/verbatim'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { queryClient } from '~/lib/query/query-client'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { ConfirmButton } from '~/ui/signed-in/ConfirmDialog'
import { DataExport } from './DataExport.tsx'
import { ListSection } from './ListSection.tsx'
import { blocksQuery } from './queries.ts'

export const handle: RouteHandle = { prefetch: [blocksQuery] }

export const meta = () => privatePageMeta(`${m.profile_part_data()} · ${m.profile_title()}`)

/** Renders the part of the profile about what is kept. */
export default function YourData() {
  return (
    <>
      <DataExport />
      <BlockedPeople />
    </>
  )
}

/** Lists the people the user has blocked, each by the message from which they were blocked. */
function BlockedPeople() {
  return (
    <ListSection
      title={m.profile_blocks()}
      intro={m.profile_blocks_intro()}
      list={useInfiniteQuery(blocksQuery)}
      empty={m.blocks_none()}
    >
      {(blocks) => blocks.map((block) => <BlockItem key={block.id} block={block} />)}
    </ListSection>
  )
}

/** Shows one block, and ends it after a confirmation. */
function BlockItem({ block }: { block: Block }) {
  const unblock = useMutation({
    mutationFn: () => call(deleteBlock, { id: block.id }, { withTimeout: true }),
    onSuccess: () => toast.success(m.blocks_ended()),
    // a missing block was ended on another device
    onError: (error) => !(error instanceof ApiError && error.code === 'not_found') && toast.error(error),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: blocksQuery.queryKey }),
  })
  const values = { plate: block.plate, date: formatShortDate(block.message_inserted_at) }
  const since = { date: formatShortDate(block.created_at) }
  const name = verbatim(block.view === 'received' ? m.blocks_sender(values) : m.blocks_owner(values), block.plate)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-4">
      <div className="grid min-w-0 gap-1">
        <p className="font-bold">{name}</p>
        <p className="text-sm text-ink-soft">{block.by_driver ? m.blocks_by_driver(since) : m.blocks_since(since)}</p>
      </div>
      <ConfirmButton
        confirm={{
          title: m.blocks_end_title(),
          description: m.blocks_end_text(),
          children: <p className="font-bold">{name}</p>,
          confirmText: m.blocks_end(),
          pendingText: m.blocks_ending(),
          onConfirm: () => unblock.mutateAsync(),
        }}
      >
        {m.blocks_end()}
        <span className="sr-only">: {name}</span>
      </ConfirmButton>
    </li>
  )
}
