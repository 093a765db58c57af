// chunk: admin-frame

import * as z from 'zod/mini'
import { CaseItem } from './cases.ts'
import { EmptyObject, endpoint, PageParams, pageOf } from './endpoint.ts'
import { Province } from './fields.ts'
import { AdminAppeal } from './people.ts'

// The inbox: everything that a person must decide, in one queue. There are no registrations in it: one that waits is in a dispute.

/** What waits in the inbox: a disputed plate, a reported message or reply, an appeal of a sanction. */
export const InboxKind = z.enum(['dispute', 'report', 'appeal'])
export type InboxKind = z.infer<typeof InboxKind>

/** Whether a person still has to decide it. A dispute that ended is gone. */
export const InboxState = z.enum(['open', 'closed'])
export type InboxState = z.infer<typeof InboxState>

/** What all items have. */
const InboxPlace = z.object({
  /**
   * What the queue is ordered by. A dispute is due when its documents are, and once they arrived since then; nothing is promised about
   * reports and appeals, which are due since they came.
   */
  due_at: z.iso.datetime(),
  /** Stands before the others: at least three independent people reported its author. */
  is_raised: z.boolean(),
})

const InboxDispute = z.extend(InboxPlace, {
  kind: z.literal('dispute'),
  id: z.uuid(),
  created_at: z.iso.datetime(),
  plate: z.string(),
  province: Province,
  documents_due_at: z.iso.datetime(),
  /** When the challenger's documents arrived; the dispute then waits for an admin, not for its date. */
  documents_received_at: z.nullable(z.iso.datetime()),
})

/** One item of the inbox, without anything that somebody wrote. */
export const InboxItem = z.discriminatedUnion('kind', [
  InboxDispute,
  z.extend(CaseItem, { ...InboxPlace.shape, kind: z.literal('report') }),
  z.extend(AdminAppeal, { ...InboxPlace.shape, kind: z.literal('appeal') }),
])
export type InboxItem = z.infer<typeof InboxItem>

export const listInbox = endpoint({
  method: 'GET',
  path: '/api/admin/inbox',
  audience: 'admin',
  status: 200,
  summary:
    'What people must decide, without any text: the open items, raised ones first, else the earliest due; or the closed ones, the latest first.',
  input: z.extend(PageParams, { state: z._default(InboxState, 'open'), kind: z.optional(InboxKind) }),
  output: pageOf(InboxItem),
})

/** How many items of each kind are open. */
export const InboxCounts = z.object({ disputes: z.number(), reports: z.number(), appeals: z.number() })
export type InboxCounts = z.infer<typeof InboxCounts>

export const getInboxCounts = endpoint({
  method: 'GET',
  path: '/api/admin/inbox/counts',
  audience: 'admin',
  status: 200,
  summary: 'How many items of the inbox wait for a decision, by kind.',
  input: EmptyObject,
  output: InboxCounts,
})
