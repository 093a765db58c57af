import type { Db } from '../db/pool.ts'

/** Rows for the tables that the cast of the matrix leaves empty. What they refer to is any of what there is. */
const ROWS: Record<string, string> = {
  'auth.factor_challenges (id, factor_id, session_id, expires_at)':
    "select gen_random_uuid(), f.id, s.id, now() + interval '5 minutes' from auth.factors f join auth.sessions s using (user_id) limit 1",
  'auth.former_addresses (id, user_id, email, requested_at, mailbox_hash)':
    "select gen_random_uuid(), id, 'former@example.com', now(), '\\x01' from auth.users limit 1",
  'auth.link_request_queue (id, email, call, locale)': "values (gen_random_uuid(), 'late@example.com', 'otp', 'fr-CA')",
  'auth.mailbox_people (mailbox_hash, person_hash)': "values ('\\x0102', '\\x03')",
  'auth.sign_ups (id, user_id, encrypted_password, user_metadata)': `select gen_random_uuid(), id, 'none', '{"full_name": "Zoé \\"Z\\" 🚗"}' from auth.users limit 1`,
  'collision_cards (id, message_hash, key_envelope, card_box)': "values (gen_random_uuid(), '\\x04', '\\x05', '\\x06')",
  'collision_photos (card_id, place, photo_box)': "select id, 1, '\\x07' from collision_cards limit 1",
  'collisions_to_forget (message_id)': 'values (gen_random_uuid())',
  'consents (id, user_id, version, locale, age_ok)':
    "select gen_random_uuid(), id, '2026-01-01', 'en', true from auth.users limit 1",
  'contact_submissions (id, name_encrypted, email_encrypted, subject, message_encrypted, locale)':
    "values (gen_random_uuid(), '\\x08', '\\x09', 'partnership', '\\x0a', 'en')",
  'files_to_delete (name)': "values ('gone-with-its-message')",
  'driver_messages (driver_id, message_id)': 'select d.id, m.id from vehicle_drivers d, messages m limit 1',
  'job_runs (name, every_s, started_at)': "values ('deleting what is over', 3600, now())",
  'operations_runs (name, started_at)': "values ('backup', now())",
  'receipt_pushes (id, receipt_id, endpoint, p256dh, auth, receipt_encrypted)':
    "select gen_random_uuid(), id, 'https://push.example', 'k', 'a', '\\x0c' from receipts limit 1",
  'vehicle_holders (vehicle_id, until)': 'select id, now() from vehicles limit 1',
  'weekly_counts (starts_on, registrations, messages, reports)': "values ('2026-01-05', 1, 2, 3)",
}

/** Writes a row into every table that `createCast` leaves empty, so that a comparison of tables compares something. */
export async function fillRest(db: Db): Promise<void> {
  for (const [table, rows] of Object.entries(ROWS)) await db.unsafe(`insert into ${table} ${rows}`)
}
