import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/tags.ts'
import type { AppContext } from '../context.ts'
import { publicRoute, userRoute } from '../http/route.ts'
import type { StaticPage } from '../http/static-pages.ts'
import { createTag, listTags, revokeTag } from './own-tags.ts'
import { readReceiptState, subscribeToReceipt } from './receipts.ts'
import { tagFormRoutes } from './tag-form.ts'

/** Registers the routes of windshield tags, for owners and for people without an account (decision windshield-tag). */
export function tagRoutes(app: FastifyInstance, context: AppContext, pages?: Map<string, StaticPage>) {
  userRoute(app, contract.createTag, ({ id }, owner) => createTag(context, owner.id, id))
  userRoute(app, contract.deleteTag, ({ id }, owner) => revokeTag(context, owner.id, id))
  userRoute(app, contract.listTags, async (_, { id }) => ({ items: await listTags(context, id) }))
  publicRoute(app, contract.getReceipt, ({ receipt }) => readReceiptState(context, receipt))
  publicRoute(app, contract.subscribeToReceipt, ({ receipt, ...device }) =>
    subscribeToReceipt(context, receipt, device),
  )
  tagFormRoutes(app, context, pages)
}
