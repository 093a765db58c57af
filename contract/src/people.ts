import * as z from 'zod/mini'
import { endpoint, IdParam } from './endpoint.ts'
import { SanctionDays, SanctionKind, SanctionReason } from './sanctions.ts'

// People as admins know them: the id is a subject's, which outlives every account (decisions admin-inbox and sanctions-and-appeals).

/** A sanction, as admins read it. */
export const PersonSanction = z.object({
  id: z.uuid(),
  kind: SanctionKind,
  case_id: z.nullable(z.uuid()),
  /** As it was written to the person; null when the admin command gave none. */
  reason: z.nullable(z.string()),
  /** The admin who decided; null for the admin command, and for an admin who is gone. */
  decided_by_email: z.nullable(z.string()),
  created_at: z.iso.datetime(),
  ends_at: z.nullable(z.iso.datetime()),
  lifted_at: z.nullable(z.iso.datetime()),
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
const PersonCase = z.object({
  id: z.uuid(),
  reason: z.string(),
  state: z.enum(['open', 'closed']),
  created_at: z.iso.datetime(),
})

/** Who opened a text about the person, and what for. */
const PersonOpening = z.object({
  id: z.uuid(),
  at: z.iso.datetime(),
  actor_email: z.nullable(z.string()),
  action: z.string(),
  purpose: z.nullable(z.string()),
})

export const AdminPerson = z.object({
  id: z.uuid(),
  suspended: z.boolean(),
  limited: z.boolean(),
  accounts: z.array(PersonAccount),
  /** The latest first, as all lists here. */
  sanctions: z.array(PersonSanction),
  cases: z.array(PersonCase),
  openings: z.array(PersonOpening),
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
