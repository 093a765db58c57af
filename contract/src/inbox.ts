// chunk: admin-frame

import * as z from 'zod/mini'
import { SentDocument } from './documents.ts'
import { endpoint, IdParam, PageParams, pageOf } from './endpoint.ts'
import { Province, trimmedText } from './fields.ts'
import { MessageReason } from './messages.ts'
import { ReportReason } from './reports.ts'
import { SanctionDays, SanctionKind, SanctionReason } from './sanctions.ts'
import { Vehicle } from './vehicles.ts'

// The inbox: everything that a person must decide, in one queue. There are no registrations in it: one that waits is in a dispute.

/** What waits in the inbox: a disputed plate, a reported message or reply, an appeal of a sanction. */
export const INBOX_KINDS = ['dispute', 'report', 'appeal'] as const
export const InboxKind = z.enum(INBOX_KINDS)
export type InboxKind = z.infer<typeof InboxKind>

/** Whether a person still has to decide it. A dispute that ended is gone. */
export const InboxState = z.enum(['open', 'closed'])
export type InboxState = z.infer<typeof InboxState>

/** What all items have. */
const InboxPlace = z.object({
  /** Stands before the others: at least three independent people reported its author. */
  is_raised: z.boolean(),
})

// Reported messages and replies (decision admin-inbox).

/** What an admin can decide about a report. `dismiss` notifies nobody; everything else is a sanction. */
export const ReportAction = z.enum(['dismiss', 'warn', 'limit', 'suspend', 'delete_message'])
export type ReportAction = z.infer<typeof ReportAction>

/** A reported message or reply, without anything that somebody wrote. */
export const ReportItem = z.object({
  id: z.uuid(),
  /** What was reported: a message, or the reply to one. */
  side: z.enum(['message', 'reply']),
  /** The gravest reason of its reports. */
  reason: ReportReason,
  created_at: z.iso.datetime(),
  /** How many people have reported the subject independently of each other. */
  reporters: z.number(),
  /** Stands before the others: at least three people have. Nothing else follows from it. */
  is_raised: z.boolean(),
  state: InboxState,
  /** The author; outlives their accounts, and is what the page of a person takes. */
  subject_id: z.uuid(),
  /** How it was closed, when and by whom. */
  decision: z.nullable(
    z.object({ action: ReportAction, decided_at: z.iso.datetime(), decided_by: z.nullable(z.string()) }),
  ),
})
export type ReportItem = z.infer<typeof ReportItem>

// Appeals (decision sanctions-and-appeals).

/** An appeal, without its text. */
export const AdminAppeal = z.object({
  id: z.uuid(),
  subject_id: z.uuid(),
  created_at: z.iso.datetime(),
  state: z.enum(['open', 'closed']),
  /** Whether the sanction stayed; null while it is open. */
  upheld: z.nullable(z.boolean()),
  /** What is appealed. */
  sanction: z.object({
    id: z.uuid(),
    kind: SanctionKind,
    case_id: z.nullable(z.uuid()),
    created_at: z.iso.datetime(),
    ends_at: z.nullable(z.iso.datetime()),
    lifted_at: z.nullable(z.iso.datetime()),
    decided_by_email: z.nullable(z.string()),
  }),
  /** Whether the caller decided the sanction, so that another admin decides the appeal. */
  own_decision: z.boolean(),
})
export type AdminAppeal = z.infer<typeof AdminAppeal>

// The list.

const disputeFields = {
  id: z.uuid(),
  plate: z.string(),
  province: Province,
  documents_due_at: z.iso.datetime(),
  /** When the challenger's documents arrived; the dispute then waits for an admin, not for its date. */
  documents_received_at: z.nullable(z.iso.datetime()),
}
const InboxDispute = z.extend(InboxPlace, {
  ...disputeFields,
  kind: z.literal('dispute'),
  created_at: z.iso.datetime(),
})

/** One item of the inbox, without anything that somebody wrote. */
export const InboxItem = z.discriminatedUnion('kind', [
  InboxDispute,
  z.extend(ReportItem, { ...InboxPlace.shape, kind: z.literal('report') }),
  z.extend(AdminAppeal, { ...InboxPlace.shape, kind: z.literal('appeal') }),
])
export type InboxItem = z.infer<typeof InboxItem>

export const listInbox = endpoint({
  method: 'GET',
  path: '/api/admin/inbox',
  audience: 'admin',
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
  summary: 'How many items of the inbox wait for a decision, by kind.',
  output: InboxCounts,
})

// Disputes (decision plate-disputes).

/** One side of a dispute, with what admins compare it by. */
export const DisputeSide = z.extend(
  z.pick(Vehicle, { plate: true, make: true, model: true, registration_year: true, status: true }),
  {
    vehicle_id: z.uuid(),
    registered_at: z.iso.datetime(),
    user_id: z.uuid(),
    owner_email: z.string(),
    owner_name: z.nullable(z.string()),
    /** When the first of this side's documents arrived, by an upload, by email or as an admin noted; null: none did. */
    documents_arrived_at: z.nullable(z.iso.datetime()),
    /** The uploaded ones, until they are deleted. */
    documents: z.array(SentDocument),
  },
)
export type DisputeSide = z.infer<typeof DisputeSide>

/** One open challenge. A plate that several users challenge has one for each of them. */
export const AdminDispute = z.object({
  ...disputeFields,
  opened_at: z.iso.datetime(),
  incumbent: DisputeSide,
  challenger: DisputeSide,
  /** The addresses of those who challenge the plate as well: an approval takes it from them too. */
  other_challengers: z.array(z.string()),
})
export type AdminDispute = z.infer<typeof AdminDispute>

export const getDispute = endpoint({
  method: 'GET',
  path: '/api/admin/disputes/:id',
  audience: 'admin',
  summary: 'One open dispute with both sides.',
  input: IdParam,
  output: AdminDispute,
})

export const markDocuments = endpoint({
  method: 'PATCH',
  path: '/api/admin/disputes/:id',
  audience: 'admin',
  summary: 'Notes that the challenger’s documents came, or takes the note back. While uploaded ones are here it stays.',
  input: z.extend(IdParam, { documents_received: z.boolean() }),
  output: AdminDispute,
})

// Opening and deciding a report.

/** Maximum length of a purpose, in characters. */
export const PURPOSE_MAX = 500

/** What an admin opens a text for that was not written to them (decision admin-inbox). It stands in the audit log. */
const Purpose = trimmedText(PURPOSE_MAX, 'purpose_missing')

/** A sanction of the subject, whatever report it comes from. */
export const ReportSanction = z.object({
  id: z.uuid(),
  kind: SanctionKind,
  created_at: z.iso.datetime(),
  ends_at: z.nullable(z.iso.datetime()),
  lifted_at: z.nullable(z.iso.datetime()),
  /** As the person read it; null: none was given on the command line. */
  reason: z.nullable(z.string()),
})
export type ReportSanction = z.infer<typeof ReportSanction>

export const OpenedReport = z.extend(ReportItem, {
  /** The message as it was when it was first reported; null when the copy was damaged. */
  evidence: z.nullable(
    z.object({
      content: z.string(),
      reason: z.nullable(MessageReason),
      /** As the sender typed it; null for a note, which keeps none. */
      typed_plate: z.nullable(z.string()),
      inserted_at: z.iso.datetime(),
      reply: z.nullable(z.string()),
      replied_at: z.nullable(z.iso.datetime()),
      /** The vehicle it was written to; null: it was gone. */
      vehicle: z.nullable(
        z.pick(Vehicle, {
          plate: true,
          province: true,
          make: true,
          model: true,
          registration_year: true,
          status: true,
        }),
      ),
    }),
  ),
  /** The image that came with it, as a `data:` address. */
  image: z.nullable(z.string()),
  /** What each reporter said, oldest first. */
  reports: z.array(
    z.object({ id: z.uuid(), reason: ReportReason, note: z.nullable(z.string()), created_at: z.iso.datetime() }),
  ),
  /** Why it was decided so; null: it is open. */
  decision_reason: z.nullable(z.string()),
  /** The latest other reports about the subject, newest first. */
  other_reports: z.array(ReportItem),
  /** The latest sanctions of the subject, newest first. */
  sanctions: z.array(ReportSanction),
})
export type OpenedReport = z.infer<typeof OpenedReport>

export const openReport = endpoint({
  method: 'POST',
  path: '/api/admin/reports/:id/open',
  audience: 'admin',
  summary: 'One report with its texts and image. Who opened it, and what for, is recorded in the audit log.',
  input: z.extend(IdParam, { purpose: Purpose }),
  output: OpenedReport,
})

export const decideReport = endpoint({
  method: 'POST',
  path: '/api/admin/reports/:id/decide',
  audience: 'admin',
  summary:
    'Decides an open report. A report of somebody else opens it again, also one that came after those that were read. `dismiss` tells nobody; everything else tells the subject by email, with the reason and how to appeal. `suspend` needs a fresh factor.',
  input: z.extend(IdParam, {
    action: ReportAction,
    reason: SanctionReason,
    days: SanctionDays,
    /** How many reports the admin has read; when it is left out, all there are. */
    reports_read: z.optional(z.number().check(z.int(), z.nonnegative())),
  }),
  output: ReportItem,
})

// Opening and deciding an appeal.

/** An appeal with its texts. */
export const OpenedAppeal = z.extend(AdminAppeal, {
  text: z.string(),
  reason: z.nullable(z.string()),
  decision_reason: z.nullable(z.string()),
})
export type OpenedAppeal = z.infer<typeof OpenedAppeal>

export const openAppeal = endpoint({
  method: 'POST',
  path: '/api/admin/appeals/:id/open',
  audience: 'admin',
  summary: 'One appeal with its text. Recorded in the audit log.',
  input: IdParam,
  output: OpenedAppeal,
})

export const decideAppeal = endpoint({
  method: 'POST',
  path: '/api/admin/appeals/:id/decide',
  audience: 'admin',
  summary: 'Keeps or lifts the sanction, by another admin than the one who decided it where there is one.',
  input: z.extend(IdParam, { uphold: z.boolean(), reason: SanctionReason }),
})
