import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import * as contract from '#contract/blocks.ts'
import type { AppContext } from '../context.ts'
import { pageLimit, parseCursor, toPage } from '../db/pagination.ts'
import { userRoute } from '../http/route.ts'
import { refuse } from '../refusal.ts'
import { blockPerson } from './block-person.ts'
import { deleteBlock, listBlocks } from './queries.ts'

const Id = z.uuid()

/** Registers the routes of blocks (decision blocking-people). */
export function blockRoutes(app: FastifyInstance, context: AppContext) {
  userRoute(app, contract.blockPerson, ({ id }, actor) => blockPerson(context, actor.id, id))
  userRoute(app, contract.listBlocks, async (paging, actor) => {
    const limit = pageLimit(paging)
    const rows = await listBlocks(context.db, actor.id, parseCursor(Id, paging), limit + 1)
    return toPage(
      rows,
      limit,
      ({ id }) => id,
      (row) => row,
    )
  })
  userRoute(app, contract.deleteBlock, async ({ id }, actor) => {
    if (!(await deleteBlock(context.db, id, actor.id))) refuse('not_found')
  })
}
