import { blockPerson, deleteBlock, listBlocks } from '#contract/blocks.ts'
import { call } from '~/lib/http/api'
import { pagedQuery } from '~/lib/query/paged'

/** Fetches the user's blocks, the latest first, page by page. */
export const blocksQuery = pagedQuery(['blocks'], listBlocks, {})

/** Blocks the other person of a message. Doing it again is harmless. */
export const submitBlock = (messageId: string) => call(blockPerson, { id: messageId }, { withTimeout: true })

/** Ends a block. */
export const endBlock = (id: string) => call(deleteBlock, { id }, { withTimeout: true })
