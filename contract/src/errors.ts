/**
 * Every error the API can return, with its status. Its text is `refusal_<code>` in the catalogue, mostly in locales/en/refusals.json, in
 * English that of requirements §8 where it has one. Tests and other software refer to the code.
 */
export const ERROR_STATUS = {
  // sessions and rights
  signed_out: 401,
  session_ended: 401,
  email_not_confirmed: 403,
  forbidden: 403,
  sign_in_again: 403,
  second_factor_required: 403,
  fresh_factor_required: 403,
  terms_changed: 409,
  last_admin: 409,
  suspended: 403,
  last_admin_suspended: 409,
  // sanctions and appeals
  already_suspended: 409,
  nothing_to_lift: 409,
  appeal_link_invalid: 404,
  email_link_invalid: 404,
  email_unavailable: 409,
  nothing_to_appeal: 404,
  already_appealed: 409,
  appeal_too_late: 409,
  appeal_closed: 409,
  appeal_needs_another_admin: 409,
  // requests
  invalid_input: 400,
  bad_json: 400,
  not_found: 404,
  method_not_allowed: 405,
  too_large: 413,
  from_elsewhere: 403,
  unsupported_media_type: 415,
  too_many_requests: 429,
  // tags
  tag_refused: 403,
  // guests at a vehicle
  proof_needed: 403,
  // vehicles
  already_yours: 409,
  open_challenge: 409,
  too_many_challenges: 429,
  too_many_vehicles: 409,
  already_verified: 409,
  already_rejected: 409,
  plate_is_live: 409,
  // messages
  plate_not_registered: 404,
  own_vehicle: 409,
  vehicle_not_active: 409,
  province_needed: 409,
  fields_missing: 400,
  attachment_unknown: 409,
  idempotency_mismatch: 422,
  nudge_not_now: 409,
  invitation_invalid: 404,
  already_in_vehicle: 409,
  vehicle_full: 409,
  owner_stays: 409,
  note_not_found: 404,
  note_text_only: 400,
  note_not_yours: 409,
  nothing_to_block: 409,
  already_replied: 409,
  reply_removed: 409,
  // the inbox of admins
  case_closed: 409,
  own_case: 403,
  own_sanction: 403,
  already_reported: 409,
  witness_moved_on: 409,
  nothing_to_report: 409,
  // attachments
  file_incomplete: 400,
  image_missing: 400,
  image_unreadable: 400,
  image_too_large: 413,
  image_too_many_pixels: 413,
  // documents in a dispute
  document_missing: 400,
  document_unreadable: 400,
  document_too_large: 413,
  documents_full: 409,
  documents_not_needed: 409,
  documents_too_late: 409,
  documents_are_here: 409,
  // notifications on devices
  push_off: 409,
  push_service_unknown: 400,
  push_device_gone: 409,
  push_failed: 502,
  // failures
  email_failed: 502,
  busy: 503,
  unexpected: 500,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS

/** The body of an error response (`docs/http-interface.md`). Some codes add fields, as `province_needed` does with `provinces`. */
export type ErrorBody = {
  error: string
  code: ErrorCode
  fields?: Record<string, string>
  provinces?: string[]
}
