import * as z from 'zod/mini'
import { endpoint, IdParam } from './endpoint.ts'
import { ReportItem, ReportSanction } from './inbox.ts'
import { SanctionDays, SanctionReason } from './sanctions.ts'

// People as admins know them: the id is a subject's, which outlives every account (decisions admin-inbox and sanctions-and-appeals).

/** A sanction, as admins read it. */
export const PersonSanction = z.extend(ReportSanction, {
  case_id: z.nullable(z.uuid()),
  /** The admin who decided; null for the admin command, and for an admin who is gone. */
  decided_by_email: z.nullable(z.string()),
  lift_reason: z.nullable(z.string()),
  in_force: z.boolean(),
  appeal: z.nullable(z.object({ id: z.uuid(), created_at: z.iso.datetime(), upheld: z.nullable(z.boolean()) })),
})
export type PersonSanction = z.infer<typeof PersonSanction>

/** An account that exists now, with most of its address hidden. */
export const PersonAccount = z.object({
  id: z.uuid(),
  address: z.string(),
  created_at: z.iso.datetime(),
  is_admin: z.boolean(),
})

/** A case about the person, without any text. */
const PersonCase = z.pick(ReportItem, { id: true, reason: true, state: true, created_at: true })

export const AdminPerson = z.object({
  id: z.uuid(),
  suspended: z.boolean(),
  limited: z.boolean(),
  accounts: z.array(PersonAccount),
  /** The latest first, as all lists here. */
  sanctions: z.array(PersonSanction),
  cases: z.array(PersonCase),
})
export type AdminPerson = z.infer<typeof AdminPerson>

export const getPerson = endpoint({
  method: 'GET',
  path: '/api/admin/people/:id',
  audience: 'admin',
  summary: 'What is known of a person: accounts, sanctions, appeals, cases without text. Recorded in the audit log.',
  input: IdParam,
  output: AdminPerson,
})

export const suspendPerson = endpoint({
  method: 'POST',
  path: '/api/admin/people/:id/suspend',
  audience: 'admin',
  summary: 'Suspends a person with every account of the mailbox, also later ones; needs a fresh second factor.',
  input: z.extend(IdParam, { reason: SanctionReason, days: SanctionDays }),
  output: AdminPerson,
})

export const liftSanctions = endpoint({
  method: 'POST',
  path: '/api/admin/people/:id/lift',
  audience: 'admin',
  summary: 'Lifts what is in force for a person, suspensions and limits; needs a fresh second factor.',
  input: z.extend(IdParam, { reason: SanctionReason }),
  output: AdminPerson,
})
