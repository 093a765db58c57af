import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Block } from '#contract/blocks.ts'
import { blocksQuery, endBlock } from '~/blocks/queries'
import { formatShortDate } from '~/lib/dates/dates'
import { ApiError } from '~/lib/http/api'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { ConfirmDialog } from '~/ui/signed-in/ConfirmDialog'
import { ListSection } from './ListSection.tsx'

/** Lists the people the user has blocked, each by the message from which they were blocked. */
export function BlockedPeople() {
  const content = useRef<HTMLDivElement>(null)
  return (
    <ListSection
      title={m.profile_blocks()}
      intro={m.profile_blocks_intro()}
      list={useInfiniteQuery(blocksQuery)}
      empty={m.blocks_none()}
      contentRef={content}
    >
      {(blocks) => blocks.map((block) => <BlockItem key={block.id} block={block} onEnded={() => content.current} />)}
    </ListSection>
  )
}

/**
 * Shows one block, and ends it after a confirmation.
 *
 * @param props.onEnded returns what gets the focus once the item is gone
 */
function BlockItem({ block, onEnded }: { block: Block; onEnded: () => HTMLElement | null }) {
  const queries = useQueryClient()
  const [open, setOpen] = useState(false)
  const unblock = useMutation({
    mutationFn: () => endBlock(block.id),
    onSuccess: () => toast.success(m.blocks_ended()),
    // a missing block was ended on another device
    onError: (error) => !(error instanceof ApiError && error.code === 'not_found') && toast.error(error),
    onSettled: async () => {
      setOpen(false)
      await queries.invalidateQueries({ queryKey: blocksQuery.queryKey })
    },
  })
  const values = { plate: block.plate, date: formatShortDate(block.message_inserted_at) }
  const name = block.view === 'received' ? m.blocks_sender(values) : m.blocks_owner(values)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-4">
      <div className="grid min-w-0 gap-1">
        <p className="font-bold">{name}</p>
        <p className="text-sm text-ink-soft">{m.blocks_since({ date: formatShortDate(block.created_at) })}</p>
      </div>
      <Button onClick={() => setOpen(true)}>
        {m.blocks_end()}
        <span className="sr-only">: {name}</span>
      </Button>
      <ConfirmDialog
        open={open}
        onOpenChange={(next) => !unblock.isPending && setOpen(next)}
        title={m.blocks_end_title()}
        description={m.blocks_end_text()}
        confirmText={m.blocks_end()}
        onConfirm={() => unblock.mutate()}
        pending={unblock.isPending}
        pendingText={m.blocks_ending()}
        finalFocus={() => (unblock.isSuccess ? onEnded() : null)}
      >
        <p className="font-bold">{name}</p>
      </ConfirmDialog>
    </li>
  )
}
