// chunk: admin-frame

import * as z from 'zod/mini'
import { AccountEvent } from './account-events.ts'
import { endpoint, IdParam, PageParams, pageOf } from './endpoint.ts'
import { Province, trimmedText } from './fields.ts'
import { Vehicle, VehicleStatus } from './vehicles.ts'

// Endpoints that only admins may call (requirements §2, §6; decision http-interface).

/** One row of the list of users. */
export const AdminUser = z.object({
  id: z.uuid(),
  email: z.string(),
  full_name: z.nullable(z.string()),
  created_at: z.iso.datetime(),
})
export type AdminUser = z.infer<typeof AdminUser>

/** Maximum length of a search text, in characters. */
export const SEARCH_MAX = 255
const SearchText = z.optional(z.string().check(z.trim(), z.maxLength(SEARCH_MAX)))

export const getUsers = endpoint({
  method: 'POST',
  path: '/rest/v1/rpc/get_users',
  audience: 'admin',
  summary: 'All accounts, newest first; `search` is looked for in address and name, as it is written.',
  input: z.extend(PageParams, { search: SearchText }),
  output: pageOf(AdminUser),
})

/** One account, on its page. */
export const AdminUserDetails = z.extend(AdminUser, {
  email_confirmed_at: z.nullable(z.iso.datetime()),
  last_sign_in_at: z.nullable(z.iso.datetime()),
  is_admin: z.boolean(),
  /** The person, as `/api/admin/people/:id` takes it. */
  person_id: z.uuid(),
  /** How many second factors it signs in with. */
  factors: z.number(),
})
export type AdminUserDetails = z.infer<typeof AdminUserDetails>

export const getAdminUser = endpoint({
  method: 'GET',
  path: '/api/admin/users/:id',
  audience: 'admin',
  summary: 'One account. The look-up is recorded in the audit log.',
  input: IdParam,
  output: AdminUserDetails,
})

export const listUserEvents = endpoint({
  method: 'GET',
  path: '/api/admin/users/:id/events',
  audience: 'admin',
  summary: 'What happened to an account in the last 90 days, the latest first.',
  input: z.extend(PageParams, IdParam.shape),
  output: pageOf(AccountEvent),
})

export const AdminStats = z.object({
  total: z.number(),
  /** Every province, including those without a vehicle. */
  by_province: z.record(Province, z.number()),
})
export type AdminStats = z.infer<typeof AdminStats>

export const getStats = endpoint({
  method: 'GET',
  path: '/api/admin/stats',
  audience: 'admin',
  summary: 'How many vehicles are active or verified, in all and by province.',
  output: AdminStats,
})

const WeekCount = z.nullable(z.number())
/** What happened in a week, which begins on a Monday, by UTC; nulls: the week was not counted yet. */
export const ActivityWeek = z.object({
  starts_on: z.iso.date(),
  registrations: WeekCount,
  messages: WeekCount,
  reports: WeekCount,
})
export type ActivityWeek = z.infer<typeof ActivityWeek>

export const AdminActivity = z.object({ weeks: z.array(ActivityWeek) })
export type AdminActivity = z.infer<typeof AdminActivity>

export const getActivity = endpoint({
  method: 'GET',
  path: '/api/admin/activity',
  audience: 'admin',
  summary: 'Registered vehicles, messages and reports of each of the last twelve weeks, the current one last.',
  output: AdminActivity,
})

/** A vehicle as admins see it, to whom the audit log says who decided what. */
export const AdminVehicle = z.extend(
  z.omit(Vehicle, { rejected_automatically: true, reject_reason: true, role: true, shared: true }),
  {
    user_id: z.uuid(),
    owner_email: z.string(),
  },
)
export type AdminVehicle = z.infer<typeof AdminVehicle>

export const VehicleFilters = z.object({
  /** Part of the plate, in any spelling of it (`displayPlate`). */
  plate: z.optional(z.string().check(z.trim(), z.maxLength(SEARCH_MAX))),
  /** Part of the owner's email address, matched literally. */
  email: SearchText,
  province: z.optional(Province),
  status: z.optional(VehicleStatus),
})
export type VehicleFilters = z.infer<typeof VehicleFilters>

export const listAdminVehicles = endpoint({
  method: 'GET',
  path: '/api/admin/vehicles',
  audience: 'admin',
  summary: 'All vehicles, newest first.',
  input: z.extend(PageParams, VehicleFilters.shape),
  output: pageOf(AdminVehicle),
})

export const approveVehicle = endpoint({
  method: 'POST',
  path: '/api/admin/vehicles/:id/approve',
  audience: 'admin',
  summary:
    'Makes a vehicle the verified one of its plate; the other sides of its dispute lose theirs (requirements §4).',
  input: IdParam,
})

export const REJECT_REASON_MAX = 1000

export const rejectVehicle = endpoint({
  method: 'POST',
  path: '/api/admin/vehicles/:id/reject',
  audience: 'admin',
  summary: 'Rejects a vehicle; its owner is told the reason.',
  input: z.extend(IdParam, { reason: trimmedText(REJECT_REASON_MAX, 'reason_missing') }),
})

export const deleteAdminVehicle = endpoint({
  method: 'DELETE',
  path: '/api/admin/vehicles/:id',
  audience: 'admin',
  summary: 'Removes a vehicle; its owner gets a notification.',
  input: IdParam,
})

/** The actions in the audit log. `dispute_overdue` is performed by the product itself, at the due date. */
export const AuditAction = z.enum([
  'vehicle_approved',
  'vehicle_rejected',
  'vehicle_deleted',
  'user_deleted',
  'documents_received',
  'documents_not_received',
  'document_opened',
  'dispute_opened',
  'dispute_overdue',
  'admin_granted',
  'admin_revoked',
  'person_warned',
  'person_limited',
  'user_suspended',
  'message_removed',
  'suspension_lifted',
  'limit_lifted',
  'person_looked_up',
  'appeal_opened',
  'appeal_upheld',
  'appeal_granted',
  'factors_reset',
  'password_reset',
  'users_looked_up',
  'vehicles_looked_up',
  'user_looked_up',
  'report_opened',
  'report_decided',
  'mail_retried',
  'mails_retried',
  'mails_hurried',
])
export type AuditAction = z.infer<typeof AuditAction>

/** An email about a decision that will not arrive: it was rejected permanently, or given up. */
export const UndeliveredMail = z.object({
  id: z.uuid(),
  /** The recipient's address, with most of its letters hidden. */
  to: z.string(),
  /** Whether it was about the registration of another side, which the decision deleted. */
  deleted_peer: z.boolean(),
  /** The mail server's reply code, such as `550`, or a reason; null when the account has no address to send to. */
  response: z.nullable(z.string()),
})
export type UndeliveredMail = z.infer<typeof UndeliveredMail>

export const AuditEntry = z.object({
  id: z.uuid(),
  at: z.iso.datetime(),
  /** The admin's address at that time; null for the product itself and for the command on the server. */
  actor_email: z.nullable(z.string()),
  /** One of `AuditAction`, or of what an earlier version could do. */
  action: z.string(),
  /** The plate with its province, or the address with most of its letters hidden. */
  subject: z.string(),
  subject_id: z.uuid(),
  reason: z.nullable(z.string()),
  /** Those of the last 30 days; older ones are deleted. */
  lost_mails: z.array(UndeliveredMail),
})
export type AuditEntry = z.infer<typeof AuditEntry>

export const listAuditLog = endpoint({
  method: 'GET',
  path: '/api/admin/audit-log',
  audience: 'admin',
  summary: 'What admins did, the latest first.',
  input: PageParams,
  output: pageOf(AuditEntry),
})
