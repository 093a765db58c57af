-- The schema that the migrations make, for reading: nothing runs this file. Reasons stand in the migrations of each feature
-- (server/src/*/NNNN_*.sql). Written by `npm run db:schema`; a test compares it with a migrated database.

-- Extensions

create extension pg_trgm;

-- Schemas

create schema auth;

-- Tables

create table auth.email_change_tokens (
  token_hash bytea not null,
  purpose text not null,
  change_id uuid,
  former_address_id uuid,
  constraint email_change_tokens_pkey PRIMARY KEY (token_hash),
  constraint email_change_tokens_change_id_fkey FOREIGN KEY (change_id) REFERENCES auth.email_changes(id) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint email_change_tokens_former_address_id_fkey FOREIGN KEY (former_address_id) REFERENCES auth.former_addresses(id) ON DELETE CASCADE,
  constraint email_change_tokens_have_one CHECK ((((purpose = 'undo'::text) = (former_address_id IS NOT NULL)) AND ((purpose = 'undo'::text) = (change_id IS NULL)))),
  constraint email_change_tokens_purpose_check CHECK ((purpose = ANY (ARRAY['confirm_current'::text, 'confirm_new'::text, 'stop'::text, 'undo'::text])))
);
CREATE INDEX email_change_tokens_change_id ON auth.email_change_tokens USING btree (change_id) WHERE (change_id IS NOT NULL);
CREATE INDEX email_change_tokens_former_address_id ON auth.email_change_tokens USING btree (former_address_id) WHERE (former_address_id IS NOT NULL);

create table auth.email_changes (
  id uuid not null,
  user_id uuid not null,
  new_email text not null,
  requested_at timestamp with time zone default now() not null,
  current_confirmed_at timestamp with time zone,
  new_confirmed_at timestamp with time zone,
  constraint email_changes_pkey PRIMARY KEY (id),
  constraint email_changes_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint email_changes_user_id_key UNIQUE (user_id)
);

create table auth.events (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  type text not null,
  session_id uuid,
  network_hash bytea,
  device text,
  at timestamp with time zone default clock_timestamp() not null,
  constraint events_pkey PRIMARY KEY (id),
  constraint events_type_check CHECK ((type = ANY (ARRAY['sign_in'::text, 'sign_in_failed'::text, 'sign_in_refused'::text, 'link_used'::text, 'factor_added'::text, 'factor_used'::text, 'factor_failed'::text, 'factor_removed'::text, 'session_ended'::text, 'suspended'::text, 'suspension_lifted'::text, 'email_change_requested'::text, 'email_change_stopped'::text, 'email_changed'::text, 'email_change_undone'::text]))),
  constraint events_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
CREATE INDEX events_at ON auth.events USING btree (at);
CREATE INDEX events_user_id ON auth.events USING btree (user_id, at DESC, id DESC);

create table auth.factor_challenges (
  id uuid not null,
  factor_id uuid not null,
  session_id uuid not null,
  challenge text,
  failures integer default 0 not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  constraint factor_challenges_pkey PRIMARY KEY (id),
  constraint factor_challenges_factor_id_fkey FOREIGN KEY (factor_id) REFERENCES auth.factors(id) ON DELETE CASCADE,
  constraint factor_challenges_session_id_fkey FOREIGN KEY (session_id) REFERENCES auth.sessions(id) ON DELETE CASCADE
);
CREATE INDEX factor_challenges_expires_at ON auth.factor_challenges USING btree (expires_at);
CREATE INDEX factor_challenges_factor_id ON auth.factor_challenges USING btree (factor_id);
CREATE INDEX factor_challenges_session_id ON auth.factor_challenges USING btree (session_id);

create table auth.factors (
  id uuid not null,
  user_id uuid not null,
  factor_type text not null,
  friendly_name text not null,
  verified_at timestamp with time zone,
  last_challenged_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  secret_encrypted bytea,
  last_step bigint,
  credential_id text,
  public_key text,
  sign_count bigint,
  transports text[],
  constraint factors_pkey PRIMARY KEY (id),
  constraint apps_have_a_secret CHECK (((factor_type = 'totp'::text) = (secret_encrypted IS NOT NULL))),
  constraint factors_credential_id_key UNIQUE (credential_id),
  constraint factors_factor_type_check CHECK ((factor_type = ANY (ARRAY['totp'::text, 'webauthn'::text]))),
  constraint factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint used_passkeys_have_a_key CHECK (((factor_type = 'totp'::text) OR (((verified_at IS NULL) = (public_key IS NULL)) AND ((public_key IS NULL) = (credential_id IS NULL)))))
);
CREATE INDEX factors_user_id ON auth.factors USING btree (user_id);
CREATE TRIGGER factors_deletions AFTER DELETE ON auth.factors REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION record_deletions();

create table auth.former_addresses (
  id uuid not null,
  user_id uuid not null,
  email text not null,
  requested_at timestamp with time zone not null,
  changed_at timestamp with time zone default now() not null,
  mailbox_hash bytea,
  constraint former_addresses_pkey PRIMARY KEY (id),
  constraint former_addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
CREATE INDEX former_addresses_user_id ON auth.former_addresses USING btree (user_id, changed_at);

create table auth.link_request_queue (
  id uuid not null,
  email text not null,
  call text not null,
  redirect_to text,
  locale text not null,
  created_at timestamp with time zone default now() not null,
  constraint link_request_queue_pkey PRIMARY KEY (id),
  constraint link_request_queue_call_check CHECK ((call = ANY (ARRAY['otp'::text, 'resend'::text, 'recover'::text]))),
  constraint link_request_queue_locale_check CHECK ((locale = ANY (ARRAY['en'::text, 'fr-CA'::text])))
);

create table auth.link_requests (
  id uuid not null,
  user_id uuid not null,
  purpose text not null,
  sign_up_id uuid,
  redirect_to text not null,
  created_at timestamp with time zone default now() not null,
  constraint link_requests_pkey PRIMARY KEY (id),
  constraint link_requests_purpose_check CHECK ((purpose = ANY (ARRAY['signup'::text, 'magiclink'::text, 'recovery'::text]))),
  constraint link_requests_sign_up_id_fkey FOREIGN KEY (sign_up_id) REFERENCES auth.sign_ups(id) ON DELETE CASCADE,
  constraint link_requests_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint sign_ups_have_links_of_their_own CHECK (((purpose = 'signup'::text) OR (sign_up_id IS NULL)))
);
CREATE INDEX link_requests_sign_up_id ON auth.link_requests USING btree (sign_up_id);
CREATE INDEX link_requests_user_id ON auth.link_requests USING btree (user_id);

create table auth.mailbox_people (
  mailbox_hash bytea not null,
  person_hash bytea not null,
  constraint mailbox_people_pkey PRIMARY KEY (mailbox_hash)
);
CREATE INDEX mailbox_people_person_hash ON auth.mailbox_people USING btree (person_hash);

create table auth.one_time_tokens (
  token_hash bytea not null,
  request_id uuid not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  constraint one_time_tokens_pkey PRIMARY KEY (token_hash),
  constraint one_time_tokens_request_id_fkey FOREIGN KEY (request_id) REFERENCES auth.link_requests(id) ON DELETE CASCADE
);
CREATE INDEX one_time_tokens_request_id ON auth.one_time_tokens USING btree (request_id);

create table auth.refresh_tokens (
  token_hash bytea not null,
  session_id uuid not null,
  parent_hash bytea,
  used_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  constraint refresh_tokens_pkey PRIMARY KEY (token_hash),
  constraint refresh_tokens_session_id_fkey FOREIGN KEY (session_id) REFERENCES auth.sessions(id) ON DELETE CASCADE
);
CREATE INDEX refresh_tokens_session_id ON auth.refresh_tokens USING btree (session_id);
CREATE UNIQUE INDEX refresh_tokens_one_active ON auth.refresh_tokens USING btree (session_id) WHERE (used_at IS NULL);

create table auth.session_uses (
  session_id uuid not null,
  used_at timestamp with time zone not null,
  constraint session_uses_pkey PRIMARY KEY (session_id),
  constraint session_uses_session_id_fkey FOREIGN KEY (session_id) REFERENCES auth.sessions(id) ON DELETE CASCADE
);

create table auth.sessions (
  id uuid not null,
  user_id uuid not null,
  amr jsonb not null,
  link_request_id uuid,
  user_agent text,
  ip inet,
  created_at timestamp with time zone default now() not null,
  refreshed_at timestamp with time zone default now() not null,
  generation integer default 0 not null,
  received_generation integer default '-1'::integer not null,
  factor_id uuid,
  factor_verified_at timestamp with time zone,
  network_hash bytea,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_factor_id_fkey FOREIGN KEY (factor_id) REFERENCES auth.factors(id) ON DELETE SET NULL,
  constraint sessions_link_request_id_fkey FOREIGN KEY (link_request_id) REFERENCES auth.link_requests(id) ON DELETE CASCADE,
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
CREATE INDEX sessions_by_last_use ON auth.sessions USING btree (user_id, refreshed_at DESC, id DESC);
CREATE INDEX sessions_factor_id ON auth.sessions USING btree (factor_id) WHERE (factor_id IS NOT NULL);
CREATE INDEX sessions_link_request_id ON auth.sessions USING btree (link_request_id) WHERE (link_request_id IS NOT NULL);
CREATE TRIGGER sessions_end_recorded AFTER DELETE ON auth.sessions FOR EACH ROW WHEN ((old.link_request_id IS NULL)) EXECUTE FUNCTION auth.record_session_end();
CREATE TRIGGER sessions_ended AFTER DELETE ON auth.sessions FOR EACH ROW EXECUTE FUNCTION auth.hint_at_sessions();

create table auth.sign_ups (
  id uuid not null,
  user_id uuid not null,
  encrypted_password text not null,
  user_metadata jsonb default '{}'::jsonb not null,
  created_at timestamp with time zone default now() not null,
  replaces_earlier boolean default false not null,
  proof_hash bytea,
  session_id uuid,
  terms_version text,
  terms_locale text,
  constraint sign_ups_pkey PRIMARY KEY (id),
  constraint sign_ups_session_id_fkey FOREIGN KEY (session_id) REFERENCES auth.sessions(id) ON DELETE CASCADE,
  constraint sign_ups_terms_locale_check CHECK ((terms_locale = ANY (ARRAY['en'::text, 'fr-CA'::text]))),
  constraint sign_ups_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint terms_have_a_language CHECK (((terms_version IS NULL) = (terms_locale IS NULL)))
);
CREATE INDEX sign_ups_session_id ON auth.sign_ups USING btree (session_id) WHERE (session_id IS NOT NULL);
CREATE INDEX sign_ups_user_id ON auth.sign_ups USING btree (user_id, created_at DESC);

create table auth.users (
  id uuid not null,
  email text not null /* statistics 500 */,
  encrypted_password text,
  email_confirmed_at timestamp with time zone,
  confirmation_sent_at timestamp with time zone,
  recovery_sent_at timestamp with time zone,
  last_sign_in_at timestamp with time zone,
  user_metadata jsonb default '{}'::jsonb not null,
  is_admin boolean default false not null,
  banned_until timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  full_name_folded text generated always as search_fold((user_metadata ->> 'full_name'::text)) stored /* statistics 500 */,
  person_hash bytea,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_email_key UNIQUE (email)
) with (fillfactor=80);
CREATE INDEX users_email_trigrams ON auth.users USING gin (email gin_trgm_ops) WITH (fastupdate=off);
CREATE INDEX users_full_name_trigrams ON auth.users USING gin (full_name_folded gin_trgm_ops) WITH (fastupdate=off);
CREATE INDEX users_person_hash ON auth.users USING btree (person_hash) WHERE (person_hash IS NOT NULL);
CREATE INDEX users_without_person ON auth.users USING btree (id) WHERE (person_hash IS NULL);
CREATE TRIGGER users_deletions AFTER DELETE ON auth.users REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION record_deletions();
CREATE TRIGGER users_rights_changed AFTER UPDATE OF banned_until, is_admin ON auth.users FOR EACH ROW WHEN (((old.banned_until IS DISTINCT FROM new.banned_until) OR (old.is_admin <> new.is_admin))) EXECUTE FUNCTION auth.hint_at_sessions();

create table public.appeal_tokens (
  token_hash bytea not null,
  sanction_id uuid not null,
  constraint appeal_tokens_pkey PRIMARY KEY (token_hash),
  constraint appeal_tokens_sanction_id_fkey FOREIGN KEY (sanction_id) REFERENCES sanctions(id) ON DELETE CASCADE
);
CREATE INDEX appeal_tokens_sanction_id ON public.appeal_tokens USING btree (sanction_id);

create table public.appeals (
  id uuid not null,
  sanction_id uuid not null,
  text_encrypted bytea not null,
  created_at timestamp with time zone default now() not null,
  decided_at timestamp with time zone,
  upheld boolean,
  decided_by uuid,
  decision_reason_encrypted bytea,
  constraint appeals_pkey PRIMARY KEY (id),
  constraint appeals_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint appeals_sanction_id_fkey FOREIGN KEY (sanction_id) REFERENCES sanctions(id) ON DELETE CASCADE,
  constraint appeals_sanction_id_key UNIQUE (sanction_id),
  constraint decided_whole CHECK (((decided_at IS NULL) = (upheld IS NULL)))
);
CREATE INDEX appeals_closed ON public.appeals USING btree (id DESC) WHERE (decided_at IS NOT NULL);
CREATE INDEX appeals_decided_by ON public.appeals USING btree (decided_by) WHERE (decided_by IS NOT NULL);
CREATE INDEX appeals_open ON public.appeals USING btree (id) WHERE (decided_at IS NULL);

create table public.attachment_files_to_delete (
  name text not null,
  created_at timestamp with time zone default now() not null,
  constraint attachment_files_to_delete_pkey PRIMARY KEY (name)
);

create table public.attachments (
  id uuid not null,
  uploader_id uuid,
  name text not null,
  key_envelope bytea not null,
  size integer not null,
  width integer not null,
  height integer not null,
  created_at timestamp with time zone default now() not null,
  link_encrypted bytea,
  link_bound_to uuid,
  constraint attachments_pkey PRIMARY KEY (id),
  constraint attachments_height_check CHECK ((height > 0)),
  constraint attachments_name_check CHECK ((name ~ '^[A-Za-z0-9_-]{43}$'::text)),
  constraint attachments_name_key UNIQUE (name),
  constraint attachments_size_check CHECK ((size > 0)),
  constraint attachments_uploader_id_fkey FOREIGN KEY (uploader_id) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint attachments_width_check CHECK ((width > 0)),
  constraint links_are_bound CHECK (((link_encrypted IS NULL) = (link_bound_to IS NULL)))
);
CREATE INDEX attachments_created_at ON public.attachments USING btree (created_at);
CREATE INDEX attachments_uploader_id ON public.attachments USING btree (uploader_id);
CREATE TRIGGER attachments_deletions AFTER DELETE ON public.attachments REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION record_deletions();
CREATE TRIGGER attachments_remember_file AFTER DELETE ON public.attachments FOR EACH ROW EXECUTE FUNCTION remember_attachment_file();

create table public.audit_log (
  id uuid not null,
  at timestamp with time zone default now() not null,
  actor_id uuid,
  actor_email text,
  action text not null,
  subject text not null,
  subject_id uuid not null,
  reason_encrypted bytea,
  constraint audit_log_pkey PRIMARY KEY (id)
);
CREATE INDEX audit_log_actor ON public.audit_log USING btree (actor_id, id DESC) WHERE (actor_id IS NOT NULL);
CREATE INDEX audit_log_at ON public.audit_log USING btree (at);
CREATE INDEX audit_log_subject ON public.audit_log USING btree (subject_id, id DESC);
CREATE TRIGGER audit_log_append_only BEFORE UPDATE ON public.audit_log FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_log_kept BEFORE DELETE ON public.audit_log FOR EACH ROW WHEN ((old.at > (now() - '2 years'::interval))) EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_log_never_emptied BEFORE TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

create table public.blocks (
  id uuid not null,
  user_id uuid not null,
  message_id uuid not null,
  plate text not null,
  message_inserted_at timestamp with time zone not null,
  view text not null,
  blocked_hash bytea,
  created_at timestamp with time zone default now() not null,
  blocked_network_hash bytea,
  constraint blocks_pkey PRIMARY KEY (id),
  constraint blocks_plate_check CHECK ((plate ~ '^[A-Z0-9-]{1,8}$'::text)),
  constraint blocks_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint blocks_user_id_message_id_key UNIQUE (user_id, message_id),
  constraint blocks_view_check CHECK ((view = ANY (ARRAY['received'::text, 'sent'::text])))
);
CREATE INDEX blocks_blocked_hash ON public.blocks USING btree (blocked_hash) WHERE (blocked_hash IS NOT NULL);
CREATE INDEX blocks_blocked_network_hash ON public.blocks USING btree (blocked_network_hash) WHERE (blocked_network_hash IS NOT NULL);
CREATE INDEX blocks_user_id ON public.blocks USING btree (user_id, id DESC);
CREATE TRIGGER blocks_deletions AFTER DELETE ON public.blocks REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION record_deletions();

create table public.captured_mails (
  id uuid not null,
  outbox_id uuid,
  "to" text not null,
  subject text not null,
  text text not null,
  html text not null,
  headers jsonb not null,
  sent_at timestamp with time zone default now() not null,
  constraint captured_mails_pkey PRIMARY KEY (id),
  constraint captured_mails_outbox_id_fkey FOREIGN KEY (outbox_id) REFERENCES outbox(id) ON DELETE CASCADE
);
CREATE INDEX captured_mails_outbox_id ON public.captured_mails USING btree (outbox_id);
CREATE INDEX captured_mails_sent_at ON public.captured_mails USING btree (sent_at DESC);
CREATE INDEX captured_mails_to ON public.captured_mails USING btree ("to", sent_at DESC);

create table public.challenges_started (
  id uuid not null,
  user_id uuid,
  created_at timestamp with time zone default now() not null,
  person_hash bytea,
  constraint challenges_started_pkey PRIMARY KEY (id),
  constraint challenges_started_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE SET NULL
);
CREATE INDEX challenges_started_person_hash ON public.challenges_started USING btree (person_hash, created_at) WHERE (person_hash IS NOT NULL);
CREATE INDEX challenges_started_user_id ON public.challenges_started USING btree (user_id, created_at);

create table public.collision_cards (
  id uuid not null,
  message_hash bytea not null,
  key_envelope bytea not null,
  card_box bytea not null,
  created_on date default CURRENT_DATE not null,
  constraint collision_cards_pkey PRIMARY KEY (id),
  constraint collision_cards_message_hash_key UNIQUE (message_hash)
);
CREATE INDEX collision_cards_created_on ON public.collision_cards USING btree (created_on);
CREATE TRIGGER collision_cards_delete_photos AFTER DELETE ON public.collision_cards FOR EACH ROW EXECUTE FUNCTION delete_collision_photos();

create table public.collision_photos (
  card_id uuid not null,
  place smallint not null,
  photo_box bytea not null,
  created_on date default CURRENT_DATE not null,
  constraint collision_photos_pkey PRIMARY KEY (card_id, place),
  constraint collision_photos_place_check CHECK (((place >= 1) AND (place <= 3)))
);
CREATE INDEX collision_photos_created_on ON public.collision_photos USING btree (created_on);

create table public.collisions_to_forget (
  message_id uuid not null,
  constraint collisions_to_forget_pkey PRIMARY KEY (message_id)
);

create table public.consents (
  id uuid not null,
  user_id uuid not null,
  version text not null,
  locale text not null,
  age_ok boolean not null,
  given_at timestamp with time zone default now() not null,
  constraint consents_pkey PRIMARY KEY (id),
  constraint consents_age_ok_check CHECK (age_ok),
  constraint consents_locale_check CHECK ((locale = ANY (ARRAY['en'::text, 'fr-CA'::text]))),
  constraint consents_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint consents_user_id_version_key UNIQUE (user_id, version)
);
CREATE INDEX consents_user_id ON public.consents USING btree (user_id, given_at DESC);

create table public.contact_submissions (
  id uuid not null,
  name_encrypted bytea not null,
  email_encrypted bytea not null,
  subject text not null,
  message_encrypted bytea not null,
  locale text not null,
  created_at timestamp with time zone default now() not null,
  repeat_hash bytea,
  constraint contact_submissions_pkey PRIMARY KEY (id),
  constraint contact_submissions_locale_check CHECK ((locale = ANY (ARRAY['en'::text, 'fr-CA'::text])))
);
CREATE UNIQUE INDEX contact_submissions_repeat_hash ON public.contact_submissions USING btree (repeat_hash) WHERE (repeat_hash IS NOT NULL);
CREATE TRIGGER contact_submissions_deletions AFTER DELETE ON public.contact_submissions REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION record_deletions();

create table public.deletions (
  table_name text not null,
  row_id uuid not null,
  deleted_at timestamp with time zone default now() not null,
  is_copied boolean default false not null,
  constraint deletions_pkey PRIMARY KEY (row_id, table_name)
);
CREATE INDEX deletions_deleted_at ON public.deletions USING btree (deleted_at);
CREATE INDEX deletions_to_copy ON public.deletions USING btree (deleted_at) WHERE (NOT is_copied);

create table public.digests (
  recipient_id uuid not null,
  next_at timestamp with time zone not null,
  tries integer not null,
  lease_token uuid,
  constraint digests_pkey PRIMARY KEY (recipient_id),
  constraint digests_recipient_id_fkey FOREIGN KEY (recipient_id) REFERENCES auth.users(id) ON DELETE CASCADE
);

create table public.dispute_documents (
  id uuid not null,
  vehicle_id uuid not null,
  place smallint not null,
  file_name text not null,
  key_envelope bytea not null,
  kind text not null,
  size integer not null,
  created_at timestamp with time zone default now() not null,
  constraint dispute_documents_pkey PRIMARY KEY (id),
  constraint dispute_documents_file_name_check CHECK ((file_name ~ '^[A-Za-z0-9_-]{43}$'::text)),
  constraint dispute_documents_file_name_key UNIQUE (file_name),
  constraint dispute_documents_kind_check CHECK ((kind = ANY (ARRAY['image'::text, 'pdf'::text]))),
  constraint dispute_documents_place_check CHECK ((place = ANY (ARRAY[1, 2]))),
  constraint dispute_documents_size_check CHECK ((size > 0)),
  constraint dispute_documents_vehicle_id_fkey FOREIGN KEY (vehicle_id) REFERENCES vehicles(id) ON DELETE CASCADE,
  constraint dispute_documents_vehicle_id_place_key UNIQUE (vehicle_id, place)
);
CREATE TRIGGER dispute_documents_deletions AFTER DELETE ON public.dispute_documents REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION record_deletions();
CREATE TRIGGER dispute_documents_remember_file AFTER DELETE ON public.dispute_documents FOR EACH ROW EXECUTE FUNCTION remember_document_file();

create table public.document_arrivals (
  vehicle_id uuid not null,
  way text not null,
  mail_hash bytea,
  arrived_at timestamp with time zone default now() not null,
  constraint document_arrivals_vehicle_id_fkey FOREIGN KEY (vehicle_id) REFERENCES vehicles(id) ON DELETE CASCADE,
  constraint document_arrivals_way_check CHECK ((way = ANY (ARRAY['upload'::text, 'mail'::text]))),
  constraint one_arrival UNIQUE NULLS NOT DISTINCT (vehicle_id, way, mail_hash)
);

create table public.document_files_to_delete (
  file_name text not null,
  delete_after timestamp with time zone default now() not null,
  constraint document_files_to_delete_pkey PRIMARY KEY (file_name)
);

create table public.driver_messages (
  driver_id uuid not null,
  message_id uuid not null,
  is_read boolean default false not null,
  has_replied boolean default false not null,
  constraint driver_messages_pkey PRIMARY KEY (driver_id, message_id),
  constraint driver_messages_driver_id_fkey FOREIGN KEY (driver_id) REFERENCES vehicle_drivers(id) ON DELETE CASCADE,
  constraint driver_messages_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages(id) ON DELETE CASCADE
);
CREATE INDEX driver_messages_message_id ON public.driver_messages USING btree (message_id);

create table public.encryption_keys (
  key_id text not null,
  proof bytea not null,
  created_at timestamp with time zone default now() not null,
  constraint encryption_keys_pkey PRIMARY KEY (key_id)
);

create table public.encryption_secrets (
  id uuid not null,
  name text not null,
  secret_encrypted bytea not null,
  constraint encryption_secrets_pkey PRIMARY KEY (id),
  constraint encryption_secrets_name_key UNIQUE (name)
);

create table public.job_runs (
  name text not null,
  every_s double precision not null,
  started_at timestamp with time zone not null,
  took_ms integer,
  ok boolean,
  error text,
  succeeded_at timestamp with time zone,
  constraint job_runs_pkey PRIMARY KEY (name)
) with (fillfactor=70);

create table public.message_steps (
  message_id uuid not null,
  step text not null,
  due_at timestamp with time zone not null,
  constraint message_steps_pkey PRIMARY KEY (message_id, step),
  constraint message_steps_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages(id) ON DELETE CASCADE,
  constraint message_steps_step_check CHECK ((step = ANY (ARRAY['share'::text, 'everybody'::text, 'nudge'::text])))
);
CREATE INDEX message_steps_due_at ON public.message_steps USING btree (due_at);

create table public.messages (
  id uuid not null,
  vehicle_id uuid,
  sender_id uuid,
  content_encrypted bytea not null,
  reason text,
  attachment_id uuid,
  is_read boolean default false not null,
  reply_encrypted bytea,
  replied_at timestamp with time zone,
  inserted_at timestamp with time zone default now() not null,
  idempotency_key text,
  request_hash bytea,
  plate text,
  addressed_to uuid not null,
  email_failed_at timestamp with time zone,
  sender_person_encrypted bytea,
  owner_person_encrypted bytea,
  reply_withheld boolean default false not null,
  reply_answer text,
  reply_removed boolean default false not null,
  left_at_vehicle boolean default false not null,
  is_note boolean default false not null,
  reply_by_driver boolean default false not null,
  nudged_at timestamp with time zone,
  collision_encrypted bytea,
  constraint messages_pkey PRIMARY KEY (id),
  constraint answers_are_replies CHECK (((reply_answer IS NULL) OR (reply_encrypted IS NOT NULL))),
  constraint keys_have_a_hash CHECK (((idempotency_key IS NULL) = (request_hash IS NULL))),
  constraint messages_attachment_id_fkey FOREIGN KEY (attachment_id) REFERENCES attachments(id) ON DELETE RESTRICT,
  constraint messages_have_a_plate CHECK (((plate IS NOT NULL) OR is_note)),
  constraint messages_plate_check CHECK ((plate ~ '^[A-Z0-9-]{1,8}$'::text)),
  constraint messages_reason_check CHECK ((reason = ANY (ARRAY['blocked_in'::text, 'lights_on'::text, 'door_open'::text, 'alarm'::text, 'accident'::text, 'flat_or_leak'::text, 'towing'::text, 'someone_inside'::text, 'other'::text]))),
  constraint messages_reply_answer_check CHECK ((reply_answer = ANY (ARRAY['coming'::text, 'in_5'::text, 'in_15'::text, 'not_my_car'::text, 'thanks'::text]))),
  constraint messages_sender_id_fkey FOREIGN KEY (sender_id) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint messages_vehicle_id_fkey FOREIGN KEY (vehicle_id) REFERENCES vehicles(id) ON DELETE SET NULL,
  constraint replies_have_a_time CHECK (((reply_encrypted IS NULL) = (replied_at IS NULL)))
);
CREATE INDEX messages_inserted_at ON public.messages USING btree (inserted_at);
CREATE INDEX messages_pair ON public.messages USING btree (sender_id, addressed_to, id DESC);
CREATE INDEX messages_pair_replies ON public.messages USING btree (sender_id, addressed_to, replied_at) WHERE (replied_at IS NOT NULL);
CREATE INDEX messages_sender_id ON public.messages USING btree (sender_id, id DESC);
CREATE INDEX messages_vehicle_id ON public.messages USING btree (vehicle_id, id DESC);
CREATE UNIQUE INDEX messages_attachment_id ON public.messages USING btree (attachment_id) WHERE (attachment_id IS NOT NULL);
CREATE UNIQUE INDEX messages_idempotency_key ON public.messages USING btree (sender_id, idempotency_key) WHERE (idempotency_key IS NOT NULL);
CREATE TRIGGER messages_complete BEFORE INSERT ON public.messages FOR EACH ROW WHEN (((new.plate IS NULL) OR (new.addressed_to IS NULL))) EXECUTE FUNCTION complete_message();
CREATE TRIGGER messages_delete_attachment AFTER DELETE ON public.messages FOR EACH ROW WHEN ((old.attachment_id IS NOT NULL)) EXECUTE FUNCTION delete_message_attachment();
CREATE TRIGGER messages_delete_mails AFTER DELETE ON public.messages REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION delete_message_mails();
CREATE TRIGGER messages_deletions AFTER DELETE ON public.messages REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION record_deletions();
CREATE TRIGGER messages_release AFTER UPDATE OF vehicle_id, sender_id ON public.messages FOR EACH ROW WHEN ((new.vehicle_id IS NULL)) EXECUTE FUNCTION release_message();
CREATE TRIGGER messages_release_shared AFTER UPDATE OF vehicle_id ON public.messages FOR EACH ROW WHEN (((old.vehicle_id IS NOT NULL) AND (new.vehicle_id IS NULL))) EXECUTE FUNCTION release_shared_message();
CREATE TRIGGER messages_remember_collision AFTER DELETE ON public.messages FOR EACH ROW WHEN ((old.collision_encrypted IS NOT NULL)) EXECUTE FUNCTION remember_collision();

create table public.notes (
  id uuid not null,
  message_id uuid,
  code_hash bytea not null,
  key_envelope bytea not null,
  content_box bytea not null,
  created_at timestamp with time zone default now() not null,
  opened_at timestamp with time zone,
  replied_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  constraint notes_pkey PRIMARY KEY (id),
  constraint notes_code_hash_key UNIQUE (code_hash),
  constraint notes_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages(id) ON DELETE SET NULL,
  constraint notes_message_id_key UNIQUE (message_id)
);
CREATE INDEX notes_expires_at ON public.notes USING btree (expires_at);
CREATE TRIGGER notes_deletions AFTER DELETE ON public.notes REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION record_deletions();

create table public.notification_counters (
  user_id uuid not null,
  last_number bigint not null,
  constraint notification_counters_pkey PRIMARY KEY (user_id),
  constraint notification_counters_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
) with (fillfactor=70);

create table public.notifications (
  id uuid not null,
  user_id uuid not null,
  number bigint not null,
  type text not null,
  data jsonb default '{}'::jsonb not null,
  message_id uuid,
  is_read boolean default false not null,
  created_at timestamp with time zone default now() not null,
  constraint notifications_pkey PRIMARY KEY (id),
  constraint notifications_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages(id) ON DELETE CASCADE,
  constraint notifications_message_id_user_id_type_key UNIQUE (message_id, user_id, type),
  constraint notifications_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint notifications_user_id_number_key UNIQUE (user_id, number)
);
CREATE INDEX notifications_unread ON public.notifications USING btree (user_id) WHERE (NOT is_read);

create table public.operations_runs (
  name text not null,
  started_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  ok boolean,
  detail text,
  constraint operations_runs_pkey PRIMARY KEY (name, started_at)
);

create table public.outbox (
  id uuid not null,
  kind text not null,
  ref_id uuid not null,
  recipient_id uuid,
  data jsonb default '{}'::jsonb not null,
  attempts integer default 0 not null,
  run_at timestamp with time zone default now() not null,
  lease_token uuid,
  sent_at timestamp with time zone,
  failed_at timestamp with time zone,
  last_error text,
  created_at timestamp with time zone default now() not null,
  held boolean default false not null,
  due_since timestamp with time zone,
  constraint outbox_pkey PRIMARY KEY (id),
  constraint ended_once CHECK (((sent_at IS NULL) OR (failed_at IS NULL))),
  constraint only_some_mails_have_no_account CHECK (((recipient_id IS NOT NULL) OR (kind = ANY (ARRAY['contact'::text, 'email_change_new'::text, 'email_changed'::text])))),
  constraint outbox_recipient_id_fkey FOREIGN KEY (recipient_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint outbox_ref_id_kind_recipient_id_key UNIQUE (ref_id, kind, recipient_id)
);
CREATE INDEX outbox_ended ON public.outbox USING btree (created_at) WHERE ((sent_at IS NOT NULL) OR (failed_at IS NOT NULL));
CREATE INDEX outbox_failed ON public.outbox USING btree (id DESC) WHERE (failed_at IS NOT NULL);
CREATE INDEX outbox_fresh ON public.outbox USING btree (run_at) WHERE ((attempts = 0) AND (sent_at IS NULL) AND (failed_at IS NULL) AND (kind <> 'message'::text));
CREATE INDEX outbox_fresh_messages ON public.outbox USING btree (run_at) WHERE ((attempts = 0) AND (sent_at IS NULL) AND (failed_at IS NULL) AND (kind = 'message'::text));
CREATE INDEX outbox_held ON public.outbox USING btree (recipient_id) WHERE (held AND (sent_at IS NULL) AND (failed_at IS NULL));
CREATE INDEX outbox_recipient_id ON public.outbox USING btree (recipient_id);
CREATE INDEX outbox_retried_messages ON public.outbox USING btree (run_at) WHERE ((attempts > 0) AND (sent_at IS NULL) AND (failed_at IS NULL) AND (kind = 'message'::text));
CREATE INDEX outbox_retries ON public.outbox USING btree (run_at) WHERE ((attempts > 0) AND (sent_at IS NULL) AND (failed_at IS NULL) AND (kind <> 'message'::text));
CREATE INDEX outbox_tried ON public.outbox USING btree (due_since) WHERE ((due_since IS NOT NULL) AND (sent_at IS NULL) AND (failed_at IS NULL));
CREATE INDEX outbox_waiting_of_recipient ON public.outbox USING btree (recipient_id, id) WHERE ((kind = 'message'::text) AND (recipient_id IS NOT NULL) AND (sent_at IS NULL) AND (failed_at IS NULL));
CREATE UNIQUE INDEX outbox_without_account ON public.outbox USING btree (ref_id, kind) WHERE (recipient_id IS NULL);
CREATE TRIGGER outbox_forget_refused AFTER UPDATE OF failed_at ON public.outbox FOR EACH ROW WHEN (((new.kind = 'message'::text) AND (old.failed_at IS NOT NULL) AND (new.failed_at IS NULL))) EXECUTE FUNCTION forget_refused_email();
CREATE TRIGGER outbox_note_refused AFTER UPDATE OF failed_at ON public.outbox FOR EACH ROW WHEN (((new.kind = 'message'::text) AND (old.failed_at IS NULL) AND (new.failed_at IS NOT NULL))) EXECUTE FUNCTION note_refused_email();

create table public.plate_disputes (
  id uuid not null,
  province text not null,
  plate text not null,
  plate_key text not null,
  incumbent_vehicle_id uuid not null,
  incumbent_status text not null,
  challenger_vehicle_id uuid not null,
  documents_due_at timestamp with time zone not null,
  documents_received_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  pauses boolean default true not null,
  challenger_person bytea,
  documents_received_by text,
  incumbent_succeeded boolean default false not null,
  constraint plate_disputes_pkey PRIMARY KEY (id),
  constraint plate_disputes_challenger_vehicle_id_fkey FOREIGN KEY (challenger_vehicle_id) REFERENCES vehicles(id) ON DELETE CASCADE,
  constraint plate_disputes_challenger_vehicle_id_key UNIQUE (challenger_vehicle_id),
  constraint plate_disputes_documents_received_by_check CHECK ((documents_received_by = ANY (ARRAY['admin'::text, 'upload'::text, 'mail'::text]))),
  constraint plate_disputes_incumbent_status_check CHECK ((incumbent_status = ANY (ARRAY['active'::text, 'verified'::text, 'approved'::text]))),
  constraint plate_disputes_incumbent_vehicle_id_fkey FOREIGN KEY (incumbent_vehicle_id) REFERENCES vehicles(id) ON DELETE CASCADE,
  constraint two_sides CHECK ((incumbent_vehicle_id <> challenger_vehicle_id))
);
CREATE INDEX plate_disputes_challenger_person ON public.plate_disputes USING btree (challenger_person) WHERE (challenger_person IS NOT NULL);
CREATE INDEX plate_disputes_due ON public.plate_disputes USING btree (documents_due_at, id);
CREATE INDEX plate_disputes_incumbent ON public.plate_disputes USING btree (incumbent_vehicle_id);
CREATE INDEX plate_disputes_plate ON public.plate_disputes USING btree (province, plate_key);
CREATE CONSTRAINT TRIGGER plate_disputes_forget_documents AFTER DELETE OR UPDATE OF incumbent_vehicle_id, challenger_vehicle_id ON public.plate_disputes DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION forget_documents();
CREATE CONSTRAINT TRIGGER plate_disputes_state AFTER INSERT OR DELETE OR UPDATE OF province, plate_key, incumbent_vehicle_id, incumbent_status, challenger_vehicle_id, pauses ON public.plate_disputes DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_dispute_sides();

create table public.preferences (
  user_id uuid not null,
  locale text default 'en'::text not null,
  email_messages boolean default true not null,
  email_message_text boolean default true not null,
  quiet_from time without time zone,
  quiet_until time without time zone,
  time_zone text default 'America/Toronto'::text not null,
  constraint preferences_pkey PRIMARY KEY (user_id),
  constraint preferences_locale_check CHECK ((locale = ANY (ARRAY['en'::text, 'fr-CA'::text]))),
  constraint preferences_time_zone_check CHECK ((length(time_zone) <= 64)),
  constraint preferences_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint quiet_hours_begin_and_end CHECK (((quiet_from IS NULL) = (quiet_until IS NULL))),
  constraint quiet_hours_end CHECK ((quiet_from <> quiet_until))
);
CREATE TRIGGER preferences_release_held AFTER UPDATE ON public.preferences FOR EACH ROW WHEN ((((new.quiet_from IS DISTINCT FROM old.quiet_from) OR (new.quiet_until IS DISTINCT FROM old.quiet_until)) OR (new.time_zone IS DISTINCT FROM old.time_zone))) EXECUTE FUNCTION release_held();

create table public.processes (
  id uuid not null,
  role text not null,
  version text not null,
  node text not null,
  started_at timestamp with time zone not null,
  seen_at timestamp with time zone default now() not null,
  streams integer not null,
  pool_size integer not null,
  pool_in_use integer not null,
  pool_waiting integer not null,
  pool_refused integer not null,
  event_loop_delay_ms double precision not null,
  memory_bytes bigint not null,
  disk_free_bytes bigint,
  disk_total_bytes bigint,
  constraint processes_pkey PRIMARY KEY (id)
) with (fillfactor=70);

create table public.push_preferences (
  user_id uuid not null,
  message_text boolean default false not null,
  constraint push_preferences_pkey PRIMARY KEY (user_id),
  constraint push_preferences_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);

create table public.push_subscriptions (
  session_id uuid not null,
  user_id uuid not null,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  pushed_number bigint not null,
  tries integer default 0 not null,
  next_at timestamp with time zone default now() not null,
  lease_token uuid,
  created_at timestamp with time zone default now() not null,
  held_after bigint,
  held_until timestamp with time zone,
  constraint push_subscriptions_pkey PRIMARY KEY (session_id),
  constraint push_subscriptions_endpoint_check CHECK ((length(endpoint) <= 1000)),
  constraint push_subscriptions_endpoint_key UNIQUE (endpoint),
  constraint push_subscriptions_session_id_fkey FOREIGN KEY (session_id) REFERENCES auth.sessions(id) ON DELETE CASCADE,
  constraint push_subscriptions_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
CREATE INDEX push_subscriptions_retries ON public.push_subscriptions USING btree (next_at) WHERE (tries > 0);
CREATE INDEX push_subscriptions_user_id ON public.push_subscriptions USING btree (user_id);

create table public.rate_counters (
  key text not null,
  window_start timestamp with time zone not null,
  count integer not null,
  expires_at timestamp with time zone default (now() + '32 days'::interval) not null,
  constraint rate_counters_pkey PRIMARY KEY (key, window_start)
);
CREATE INDEX rate_counters_expires_at ON public.rate_counters USING btree (expires_at);
CREATE INDEX rate_counters_window_start ON public.rate_counters USING btree (window_start);

create table public.receipt_pushes (
  id uuid not null,
  receipt_id uuid not null,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  receipt_encrypted bytea not null,
  tries integer default 0 not null,
  next_at timestamp with time zone default now() not null,
  created_at timestamp with time zone default now() not null,
  constraint receipt_pushes_pkey PRIMARY KEY (id),
  constraint receipt_pushes_endpoint_check CHECK ((length(endpoint) <= 1000)),
  constraint receipt_pushes_receipt_id_fkey FOREIGN KEY (receipt_id) REFERENCES receipts(id) ON DELETE CASCADE,
  constraint receipt_pushes_receipt_id_key UNIQUE (receipt_id)
);
CREATE INDEX receipt_pushes_next_at ON public.receipt_pushes USING btree (next_at);

create table public.receipts (
  id uuid not null,
  message_id uuid not null,
  receipt_hash bytea not null,
  language text not null,
  created_at timestamp with time zone default now() not null,
  constraint receipts_pkey PRIMARY KEY (id),
  constraint receipts_language_check CHECK ((language = ANY (ARRAY['en'::text, 'fr'::text, 'zh'::text, 'yue'::text, 'pa'::text, 'es'::text, 'ar'::text, 'tl'::text, 'it'::text, 'pt'::text]))),
  constraint receipts_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages(id) ON DELETE CASCADE,
  constraint receipts_message_id_key UNIQUE (message_id),
  constraint receipts_receipt_hash_key UNIQUE (receipt_hash)
);
CREATE INDEX receipts_created_at ON public.receipts USING btree (created_at);
CREATE TRIGGER receipts_release AFTER DELETE ON public.receipts FOR EACH ROW EXECUTE FUNCTION release_receipt();

create table public.report_cases (
  id uuid not null,
  message_id uuid not null,
  side text not null,
  subject_id uuid not null,
  state text default 'open'::text not null,
  reason text not null,
  reporters integer default 1 not null,
  is_raised boolean generated always as (reporters >= 3) stored not null,
  key_envelope bytea not null,
  evidence_box bytea not null,
  image_box bytea,
  created_at timestamp with time zone default now() not null,
  closed_at timestamp with time zone,
  constraint report_cases_pkey PRIMARY KEY (id),
  constraint closed_cases_have_a_time CHECK (((state = 'closed'::text) = (closed_at IS NOT NULL))),
  constraint report_cases_message_id_side_key UNIQUE (message_id, side),
  constraint report_cases_reason_check CHECK ((reason = ANY (ARRAY['threat'::text, 'sexual'::text, 'harassment'::text, 'false_alarm'::text, 'spam'::text, 'other'::text]))),
  constraint report_cases_reporters_check CHECK ((reporters > 0)),
  constraint report_cases_side_check CHECK ((side = ANY (ARRAY['message'::text, 'reply'::text]))),
  constraint report_cases_state_check CHECK ((state = ANY (ARRAY['open'::text, 'closed'::text]))),
  constraint report_cases_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES subjects(id) ON DELETE RESTRICT
);
CREATE INDEX report_cases_closed ON public.report_cases USING btree (id DESC) WHERE (state = 'closed'::text);
CREATE INDEX report_cases_created_at ON public.report_cases USING btree (created_at);
CREATE INDEX report_cases_open ON public.report_cases USING btree (((NOT is_raised)), id) WHERE (state = 'open'::text);
CREATE INDEX report_cases_subject_id ON public.report_cases USING btree (subject_id, id DESC);

create table public.reports (
  id uuid not null,
  case_id uuid not null,
  reporter_id uuid,
  reporter_hash bytea not null,
  network_hash bytea not null,
  plate_hashes bytea[] not null,
  reason text not null,
  note_box bytea,
  created_at timestamp with time zone default now() not null,
  constraint reports_pkey PRIMARY KEY (id),
  constraint reports_case_id_fkey FOREIGN KEY (case_id) REFERENCES report_cases(id) ON DELETE CASCADE,
  constraint reports_case_id_reporter_hash_key UNIQUE (case_id, reporter_hash),
  constraint reports_reason_check CHECK ((reason = ANY (ARRAY['threat'::text, 'sexual'::text, 'harassment'::text, 'false_alarm'::text, 'spam'::text, 'other'::text]))),
  constraint reports_reporter_id_fkey FOREIGN KEY (reporter_id) REFERENCES auth.users(id) ON DELETE SET NULL
);
CREATE INDEX reports_reporter_id ON public.reports USING btree (reporter_id, id DESC) WHERE (reporter_id IS NOT NULL);

create table public.sanctions (
  id uuid not null,
  subject_id uuid not null,
  kind text not null,
  case_id uuid,
  reason_encrypted bytea,
  decided_by uuid,
  created_at timestamp with time zone default now() not null,
  ends_at timestamp with time zone,
  lifted_at timestamp with time zone,
  lift_reason_encrypted bytea,
  appealable_until timestamp with time zone default (now() + '20 days'::interval) not null,
  constraint sanctions_pkey PRIMARY KEY (id),
  constraint only_what_lasts_ends CHECK (((kind = ANY (ARRAY['limit'::text, 'suspend'::text])) OR (ends_at IS NULL))),
  constraint sanctions_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint sanctions_kind_check CHECK ((kind = ANY (ARRAY['warn'::text, 'limit'::text, 'suspend'::text, 'delete_message'::text]))),
  constraint sanctions_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES subjects(id) ON DELETE RESTRICT
);
CREATE INDEX sanctions_case_id ON public.sanctions USING btree (case_id) WHERE (case_id IS NOT NULL);
CREATE INDEX sanctions_decided_by ON public.sanctions USING btree (decided_by) WHERE (decided_by IS NOT NULL);
CREATE INDEX sanctions_in_force ON public.sanctions USING btree (subject_id, kind) WHERE ((kind = ANY (ARRAY['limit'::text, 'suspend'::text])) AND (lifted_at IS NULL));
CREATE INDEX sanctions_subject_id ON public.sanctions USING btree (subject_id, id DESC);

create table public.subjects (
  id uuid not null,
  person_hash bytea not null,
  created_at timestamp with time zone default now() not null,
  constraint subjects_pkey PRIMARY KEY (id),
  constraint subjects_person_hash_key UNIQUE (person_hash)
);

create table public.tags (
  id uuid not null,
  vehicle_id uuid not null,
  token_hash bytea not null,
  digits_hash bytea not null,
  token_encrypted bytea not null,
  created_at timestamp with time zone default now() not null,
  constraint tags_pkey PRIMARY KEY (id),
  constraint tags_digits_hash_key UNIQUE (digits_hash),
  constraint tags_token_hash_key UNIQUE (token_hash),
  constraint tags_vehicle_id_fkey FOREIGN KEY (vehicle_id) REFERENCES vehicles(id) ON DELETE CASCADE,
  constraint tags_vehicle_id_key UNIQUE (vehicle_id)
);
CREATE TRIGGER tags_deletions AFTER DELETE ON public.tags REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION record_deletions();

create table public.vehicle_drivers (
  id uuid not null,
  vehicle_id uuid not null,
  user_id uuid not null,
  joined_at timestamp with time zone default now() not null,
  constraint vehicle_drivers_pkey PRIMARY KEY (id),
  constraint vehicle_drivers_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint vehicle_drivers_vehicle_id_fkey FOREIGN KEY (vehicle_id) REFERENCES vehicles(id) ON DELETE CASCADE,
  constraint vehicle_drivers_vehicle_id_user_id_key UNIQUE (vehicle_id, user_id)
);
CREATE INDEX vehicle_drivers_user_id ON public.vehicle_drivers USING btree (user_id);
CREATE TRIGGER vehicle_drivers_deletions AFTER DELETE ON public.vehicle_drivers REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION record_deletions();
CREATE TRIGGER vehicle_drivers_silence BEFORE DELETE ON public.vehicle_drivers FOR EACH ROW EXECUTE FUNCTION silence_driver();

create table public.vehicle_holders (
  vehicle_id uuid not null,
  driver_id uuid,
  until timestamp with time zone,
  constraint vehicle_holders_pkey PRIMARY KEY (vehicle_id),
  constraint vehicle_holders_driver_id_fkey FOREIGN KEY (driver_id) REFERENCES vehicle_drivers(id) ON DELETE CASCADE,
  constraint vehicle_holders_vehicle_id_fkey FOREIGN KEY (vehicle_id) REFERENCES vehicles(id) ON DELETE CASCADE
);
CREATE INDEX vehicle_holders_driver_id ON public.vehicle_holders USING btree (driver_id) WHERE (driver_id IS NOT NULL);
CREATE INDEX vehicle_holders_until ON public.vehicle_holders USING btree (until) WHERE (until IS NOT NULL);

create table public.vehicle_invitations (
  id uuid not null,
  vehicle_id uuid not null,
  code_hash bytea not null,
  invitee_hash bytea,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  constraint vehicle_invitations_pkey PRIMARY KEY (id),
  constraint vehicle_invitations_code_hash_key UNIQUE (code_hash),
  constraint vehicle_invitations_vehicle_id_fkey FOREIGN KEY (vehicle_id) REFERENCES vehicles(id) ON DELETE CASCADE
);
CREATE INDEX vehicle_invitations_expires_at ON public.vehicle_invitations USING btree (expires_at);
CREATE INDEX vehicle_invitations_vehicle_id ON public.vehicle_invitations USING btree (vehicle_id, id DESC);
CREATE TRIGGER vehicle_invitations_deletions AFTER DELETE ON public.vehicle_invitations REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION record_deletions();

create table public.vehicles (
  id uuid not null,
  user_id uuid not null,
  plate text not null,
  plate_key text generated always as replace(plate, '-'::text, ''::text) stored not null,
  make text not null,
  model text not null,
  registration_year integer not null,
  province text not null,
  status text not null,
  created_at timestamp with time zone default now() not null,
  reject_reason_encrypted bytea,
  challenge_survived_at timestamp with time zone,
  paused boolean default false not null,
  constraint vehicles_pkey PRIMARY KEY (id),
  constraint reasons_of_rejected_ones CHECK (((reject_reason_encrypted IS NULL) OR (status = 'rejected'::text))),
  constraint vehicles_plate_check CHECK ((plate ~ '^[A-Z0-9-]{1,8}$'::text)),
  constraint vehicles_plate_key_check CHECK ((plate_key <> ''::text)),
  constraint vehicles_province_check CHECK ((province = ANY (ARRAY['Alberta'::text, 'British Columbia'::text, 'Manitoba'::text, 'New Brunswick'::text, 'Newfoundland and Labrador'::text, 'Nova Scotia'::text, 'Ontario'::text, 'Prince Edward Island'::text, 'Quebec'::text, 'Saskatchewan'::text]))),
  constraint vehicles_registration_year_check CHECK ((registration_year >= 1980)),
  constraint vehicles_status_check CHECK ((status = ANY (ARRAY['pending_verification'::text, 'active'::text, 'verified'::text, 'approved'::text, 'rejected'::text]))),
  constraint vehicles_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
CREATE INDEX vehicles_plate_key ON public.vehicles USING btree (plate_key, province);
CREATE INDEX vehicles_plate_trigrams ON public.vehicles USING gin (plate_key gin_trgm_ops) WITH (fastupdate=off);
CREATE INDEX vehicles_province ON public.vehicles USING btree (province, id DESC);
CREATE INDEX vehicles_province_status ON public.vehicles USING btree (province, status, id DESC);
CREATE INDEX vehicles_status ON public.vehicles USING btree (status, id DESC);
CREATE INDEX vehicles_user_id ON public.vehicles USING btree (user_id, id DESC);
CREATE UNIQUE INDEX vehicles_live_plate ON public.vehicles USING btree (province, plate_key) WHERE is_live(status);
CREATE UNIQUE INDEX vehicles_own_plate ON public.vehicles USING btree (user_id, province, plate_key) WHERE (status <> 'rejected'::text);
CREATE TRIGGER vehicles_deletions AFTER DELETE ON public.vehicles REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION record_deletions();
CREATE CONSTRAINT TRIGGER vehicles_dispute_begun AFTER INSERT ON public.vehicles DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.status = 'pending_verification'::text)) EXECUTE FUNCTION check_vehicle_dispute();
CREATE CONSTRAINT TRIGGER vehicles_dispute_state AFTER UPDATE OF status ON public.vehicles DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((old.status <> new.status)) EXECUTE FUNCTION check_vehicle_dispute();

create table public.weekly_counts (
  starts_on date not null,
  registrations integer not null,
  messages integer not null,
  reports integer not null,
  counted_at timestamp with time zone default now() not null,
  constraint weekly_counts_pkey PRIMARY KEY (starts_on)
);

-- Views

create view public.live_sanctions as
 SELECT p.person_hash,
    s.kind
   FROM (subjects p
     JOIN sanctions s ON ((s.subject_id = p.id)))
  WHERE ((s.lifted_at IS NULL) AND ((s.ends_at IS NULL) OR (s.ends_at > now())));

-- Functions

CREATE OR REPLACE FUNCTION auth.hint_at_sessions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  whose uuid;
begin
  if tg_table_name = 'users' then whose := new.id; else whose := old.user_id; end if;
  -- as live/live-hub.ts reads it: said by none of the product's processes, and about sessions
  perform pg_notify('platenote_live', 'database !' || whose);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION auth.record_session_end()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into auth.events (user_id, type, session_id)
  select id, 'session_ended', old.id from auth.users
  where id = old.user_id and (
    select count(*) from auth.events e
    where e.user_id = old.user_id and e.type = 'session_ended' and e.at > now() - interval '1 hour'
  ) < 30;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.blocked_hash(secret bytea, receiver_id uuid, view text)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select sha256(secret || uuid_send(receiver_id) || convert_to(view, 'UTF8'))
$function$;

CREATE OR REPLACE FUNCTION public.check_dispute_sides()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op <> 'INSERT' then
    perform check_dispute_state(old.incumbent_vehicle_id);
    perform check_dispute_state(old.challenger_vehicle_id);
  end if;
  if tg_op <> 'DELETE' then
    perform check_dispute_state(new.incumbent_vehicle_id);
    perform check_dispute_state(new.challenger_vehicle_id);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.check_dispute_state(checked_id uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  vehicle vehicles;
  challenges boolean;
  -- null: no incumbent
  earlier_status text;
  is_paused boolean;
  broken text;
begin
  select * into vehicle from vehicles where id = checked_id;
  if not found then return; end if;
  challenges := exists (select from plate_disputes where challenger_vehicle_id = checked_id);
  select min(incumbent_status), bool_or(pauses) into earlier_status, is_paused
  from plate_disputes where incumbent_vehicle_id = checked_id;
  broken := case
    when challenges and earlier_status is not null then 'is both sides of a dispute'
    when challenges and vehicle.status <> 'pending_verification' then 'challenges a plate and does not wait'
    when earlier_status = 'verified' and vehicle.status <> 'verified' then 'was verified before its dispute and is not'
    when earlier_status <> 'verified' and is_paused and vehicle.status <> 'pending_verification'
      then 'is in a dispute and not paused'
    when earlier_status <> 'verified' and not is_paused and vehicle.status <> earlier_status
      then 'is in a dispute that does not pause it and is not what it was'
    when vehicle.status = 'pending_verification' and not challenges and earlier_status is null
      then 'waits for a dispute that is not there'
    when exists (
      select from plate_disputes
      where (incumbent_vehicle_id = checked_id or challenger_vehicle_id = checked_id)
        and (province <> vehicle.province or plate_key <> vehicle.plate_key)) then 'has another plate than its dispute'
    when earlier_status is not null and exists (
      select from plate_disputes
      where province = vehicle.province and plate_key = vehicle.plate_key
        and (incumbent_vehicle_id <> checked_id or incumbent_status <> earlier_status))
      then 'is not the one its plate is disputed with'
  end;
  if broken is not null then
    raise exception 'vehicle % %', checked_id, broken using errcode = 'check_violation', constraint = 'dispute_state';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.check_vehicle_dispute()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform check_dispute_state(new.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.complete_message()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.is_note then return new; end if;
  select coalesce(new.plate, v.plate), coalesce(new.addressed_to, v.id) into new.plate, new.addressed_to
  from vehicles v where v.id = new.vehicle_id;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.delete_collision_photos()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from collision_photos where card_id = old.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.delete_message_attachment()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from attachments where id = old.attachment_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.delete_message_mails()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from outbox where id in (
    select o.id from outbox o join gone on o.ref_id = gone.id and o.kind in ('message', 'reply')
    order by o.id
    for update of o
  );
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.facts_for_sends(senders uuid[], counters text[], plate_keys text[], provinces text[], idempotency_keys text[], pair_secrets bytea[], block_secrets bytea[], miss_keys text[], first_day_keys text[], slice interval, network_slice interval, pair_day_most integer, pair_month_most integer)
 RETURNS TABLE(ord bigint, first_day boolean, is_limited boolean, sent_hour bigint, sent_day bigint, missed_hour bigint, missed_day bigint, network_missed bigint[], network_first_day bigint[], known bigint, live bigint, all_own boolean, vehicle_id uuid, owner_id uuid, plate text, live_in text[], is_shared boolean, is_driver boolean, holder_id uuid, told_id uuid, pair_key text, pair_day bigint, pair_month bigint, earlier_id uuid, earlier_hash bytea, earlier_at timestamp with time zone, earlier_plate text)
 LANGUAGE plpgsql
 ROWS 16
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_sort TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
#variable_conflict use_column
declare
  missed_by_network bigint[];
  first_day_by_network bigint[];
begin
  perform pg_advisory_xact_lock(locks.key) from (
    -- by the key of the person, of whom several accounts may send at the same moment
    select distinct hashtextextended('send from ' || counter, 0) as key from unnest(counters) as s (counter)
    order by key offset 0
  ) locks;
  -- statements of their own after the locks, so that they read what those waited for
  select array_agg(sum order by ord) filter (where kind = 'miss'), array_agg(sum order by ord) filter (where kind = 'first day')
  into missed_by_network, first_day_by_network
  from (
    select 'miss' as kind, key, ord from unnest(miss_keys) with ordinality m (key, ord)
    union all
    select 'first day', key, ord from unnest(first_day_keys) with ordinality d (key, ord)
  ) networks
  cross join lateral (
    select coalesce(sum(c.count), 0)::bigint as sum from rate_counters c
    where c.key = networks.key and c.window_start > now() - interval '1 day' - network_slice
  ) counted;
  return query
    select i.ord, coalesce(account.first_day, false), limited.yes is not null,
      sent.hour, sent.day, missed.hour, missed.day, missed_by_network, first_day_by_network,
      found.known, found.live, found.all_own, found.vehicle_id, found.owner_id, found.plate, found.live_in,
      people.n > 0, people.sends, first.holder_id, coalesce(first.told_id, found.owner_id),
      pair.key, greatest(pair.day, messages_of_pair.day), greatest(pair.month, messages_of_pair.month),
      earlier.id, earlier.request_hash, earlier.inserted_at, earlier.plate
    from unnest(senders, counters, plate_keys, provinces, idempotency_keys, pair_secrets, block_secrets) with ordinality
      as i (sender_id, counter, plate_key, province, key, pair_secret, block_secret, ord)
    left join lateral (
      select coalesce(u.email_confirmed_at, u.created_at) > now() - interval '24 hours' as first_day, u.person_hash
      from auth.users u where u.id = i.sender_id offset 0
    ) account on true
    left join lateral (
      select true as yes from live_sanctions s where s.person_hash = account.person_hash and s.kind = 'limit' limit 1
    ) limited on true
    cross join lateral (
      select coalesce(sum(c.count) filter (where c.window_start > now() - interval '1 hour' - slice), 0)::bigint as hour,
        coalesce(sum(c.count), 0)::bigint as day
      from rate_counters c
      where c.key = i.counter and c.window_start > now() - interval '1 day' - slice
    ) sent
    cross join lateral (
      select coalesce(sum(c.count) filter (where c.window_start > now() - interval '1 hour' - slice), 0)::bigint as hour,
        coalesce(sum(c.count), 0)::bigint as day
      from rate_counters c
      where c.key = i.counter || ':miss' and c.window_start > now() - interval '1 day' - slice
    ) missed
    cross join lateral (
      select count(*) as known,
        count(*) filter (where v.reachable) as live,
        (array_agg(v.id) filter (where v.reachable))[1] as vehicle_id,
        (array_agg(v.user_id) filter (where v.reachable))[1] as owner_id,
        (array_agg(v.plate) filter (where v.reachable))[1] as plate,
        array_agg(v.province order by v.province) filter (where v.reachable) as live_in,
        bool_and(v.user_id = i.sender_id) as all_own
      from (
        select v.id, v.user_id, v.plate, v.province, is_reachable(v.status, v.paused) and suspended.yes is null as reachable
        from vehicles v
        join auth.users owner on owner.id = v.user_id
        left join lateral (
          select true as yes from live_sanctions s where s.person_hash = owner.person_hash and s.kind = 'suspend' limit 1
        ) suspended on true
        where v.plate_key = i.plate_key and (i.province is null or v.province = i.province)
        offset 0
      ) v
    ) found
    cross join lateral (
      select count(*) as n, coalesce(bool_or(p.user_id = i.sender_id), false) as sends
      from vehicle_drivers p where p.vehicle_id = found.vehicle_id
    ) people
    -- nearly every vehicle has one person, of whom there is nothing to find out
    left join lateral (
      select t.holder_id, t.told_id from first_told(found.vehicle_id, found.owner_id, i.sender_id, i.block_secret) t
      where people.n > 0 offset 0
    ) first on true
    cross join lateral (
      select pair_counter_key(i.pair_secret, found.vehicle_id) as key offset 0
    ) pair_of
    cross join lateral (
      select pair_of.key, coalesce(sum(c.count) filter (where c.window_start > now() - interval '1 day' - slice), 0)::bigint as day,
        coalesce(sum(c.count), 0)::bigint as month
      from rate_counters c
      where c.key = pair_of.key and c.window_start > now() - interval '30 days' - slice
    ) pair
    -- Every message adds a notification for its owner. Nothing is counted for an owner who has fewer than a limit, so
    -- that the large limits of a load test do not make every send count again.
    left join lateral (
      select n.last_number from notification_counters n where n.user_id = found.owner_id offset 0
    ) owner on true
    cross join lateral (
      select count(*) filter (where newest.inserted_at > now() - interval '1 day') as day, count(*) as month
      from (
        select m.inserted_at from messages m
        where m.sender_id = i.sender_id and m.addressed_to = found.vehicle_id
          and owner.last_number >= least(pair_day_most, pair_month_most)
        order by m.id desc
        limit greatest(pair_day_most, pair_month_most)
      ) newest
      where newest.inserted_at > now() - interval '30 days' and newest.inserted_at > coalesce((
        select max(m.replied_at) from messages m
        where m.sender_id = i.sender_id and m.addressed_to = found.vehicle_id and m.replied_at is not null
      ), '-infinity')
    ) messages_of_pair
    left join lateral (
      select m.id, m.request_hash, m.inserted_at, m.plate
      from messages m
      where m.sender_id = i.sender_id and m.idempotency_key = i.key
      offset 0
    ) earlier on true;
end $function$;

CREATE OR REPLACE FUNCTION public.first_told(vehicle uuid, owner uuid, sender uuid, secret bytea)
 RETURNS TABLE(is_shared boolean, is_driver boolean, holder_id uuid, told_id uuid)
 LANGUAGE plpgsql
 ROWS 1
 SET enable_seqscan TO 'off'
AS $function$
begin
  return query
  select people.n > 0, people.sends, holder.id, coalesce(holder.user_id, owner)
  from (
    select count(*) as n, coalesce(bool_or(p.user_id = sender), false) as sends
    from vehicle_drivers p where p.vehicle_id = vehicle
  ) people
  left join lateral (
    select p.id, p.user_id
    from vehicle_holders h join vehicle_drivers p on p.id = h.driver_id
    where people.n > 0 and h.vehicle_id = vehicle and (h.until is null or h.until > now())
      and not is_account_sanctioned(p.user_id, 'suspend')
      and not exists (select from blocks b where b.blocked_hash = blocked_hash(secret, p.user_id, 'received'))
  ) holder on true;
end $function$;

CREATE OR REPLACE FUNCTION public.forget_documents()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  side uuid;
begin
  foreach side in array array[old.incumbent_vehicle_id, old.challenger_vehicle_id] loop
    if not exists (
      select from plate_disputes where incumbent_vehicle_id = side or challenger_vehicle_id = side) then
      delete from dispute_documents where vehicle_id = side;
      delete from document_arrivals where vehicle_id = side;
    end if;
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.forget_refused_email()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update messages set email_failed_at = null where id = new.ref_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.is_account_sanctioned(account_id uuid, sanction text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
begin
  return exists (select from auth.users u where u.id = account_id and is_sanctioned(u.person_hash, sanction));
end $function$;

CREATE OR REPLACE FUNCTION public.is_live(status text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select status in ('active', 'verified')
$function$;

CREATE OR REPLACE FUNCTION public.is_reachable(status text, paused boolean)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select is_live(status) and not paused
$function$;

CREATE OR REPLACE FUNCTION public.is_reachable(status text, paused boolean, owner_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select is_reachable(status, paused) and not is_account_sanctioned(owner_id, 'suspend')
$function$;

CREATE OR REPLACE FUNCTION public.is_sanctioned(person bytea, sanction text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
begin
  return exists (
    select from subjects p join sanctions s on s.subject_id = p.id
    where p.person_hash = person and s.kind = sanction and s.lifted_at is null and (s.ends_at is null or s.ends_at > now()));
end $function$;

CREATE OR REPLACE FUNCTION public.note_refused_email()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update messages
  set email_failed_at = now() + interval '10 minutes'
    + random() * case when new.held then interval '24 hours' else interval '50 minutes' end
  where id = new.ref_id and email_failed_at is null;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.pair_counter_key(secret bytea, vehicle_id uuid)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select 'pair:' || encode(sha256(secret || uuid_send(vehicle_id)), 'base64')
$function$;

CREATE OR REPLACE FUNCTION public.person_facts(sender uuid, pair_key text, miss_keys text[], first_day_keys text[], slice interval, network_slice interval)
 RETURNS TABLE(first_day boolean, pair_day bigint, pair_month bigint, network_missed bigint[], network_first_day bigint[])
 LANGUAGE plpgsql
 ROWS 1
 SET enable_seqscan TO 'off'
AS $function$
begin
  return query select
    coalesce((
      select coalesce(u.email_confirmed_at, u.created_at) > now() - interval '24 hours'
      from auth.users u where u.id = sender), false),
    coalesce(sum(c.count) filter (where c.window_start > now() - interval '1 day' - slice), 0)::bigint,
    coalesce(sum(c.count), 0)::bigint,
    array(
      select coalesce((
        select sum(n.count) from rate_counters n
        where n.key = k.key and n.window_start > now() - interval '1 day' - network_slice), 0)::bigint
      from unnest(miss_keys) with ordinality k (key, ord) order by k.ord),
    array(
      select coalesce((
        select sum(n.count) from rate_counters n
        where n.key = k.key and n.window_start > now() - interval '1 day' - network_slice), 0)::bigint
      from unnest(first_day_keys) with ordinality k (key, ord) order by k.ord)
  from rate_counters c
  where c.key = pair_key and c.window_start > now() - interval '30 days' - slice;
end $function$;

CREATE OR REPLACE FUNCTION public.record_deletions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into deletions (table_name, row_id) select tg_table_schema || '.' || tg_table_name, id from gone
  on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_audit_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' and new.reason_encrypted is not null and old.reason_encrypted is not null
    and to_jsonb(new) - 'reason_encrypted' = to_jsonb(old) - 'reason_encrypted' then
    return new;
  end if;
  raise exception 'the audit log is append-only' using errcode = 'restrict_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.release_held()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update outbox set run_at = now()
  where recipient_id = new.user_id and held and sent_at is null and failed_at is null and lease_token is null;
  update push_subscriptions set held_until = now() where user_id = new.user_id and held_after is not null;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.release_message()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.vehicle_id is not null then
    delete from notifications where message_id = new.id and type = 'message_received';
    delete from outbox where ref_id = new.id and kind = 'message';
  end if;
  if new.sender_id is null and not exists (select from receipts where message_id = new.id) then
    delete from messages where id = new.id;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.release_receipt()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from messages where id = old.message_id and vehicle_id is null and sender_id is null;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.release_shared_message()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from notifications where message_id = new.id and type in ('message_answered', 'message_nudged');
  delete from outbox where ref_id = new.id and kind = 'nudge';
  delete from message_steps where message_id = new.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.remember_attachment_file()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into attachment_files_to_delete (name) values (old.name) on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.remember_collision()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into collisions_to_forget (message_id) values (old.id) on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.remember_document_file()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into document_files_to_delete (file_name) values (old.file_name) on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.search_fold(written text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select lower(regexp_replace(normalize(written, nfkd), '[\u0300-\u036f]', '', 'g'))
$function$;

CREATE OR REPLACE FUNCTION public.search_pattern(part text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select '%' || regexp_replace(nullif(part, ''), '[\\%_]', '\\\&', 'g') || '%'
$function$;

CREATE OR REPLACE FUNCTION public.send_facts(senders uuid[], counters text[], plate_keys text[], provinces text[], idempotency_keys text[], slice interval, pair_day_most integer, pair_month_most integer, vehicle_hour_most integer)
 RETURNS TABLE(ord bigint, first_day boolean, sent_hour bigint, sent_day bigint, missed_hour bigint, missed_day bigint, known bigint, live bigint, all_own boolean, vehicle_id uuid, owner_id uuid, plate text, live_in text[], pair_day bigint, pair_month bigint, vehicle_hour bigint, earlier_id uuid, earlier_hash bytea, earlier_at timestamp with time zone, earlier_plate text)
 LANGUAGE plpgsql
 ROWS 16
 SET enable_bitmapscan TO 'off'
 SET enable_sort TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
#variable_conflict use_column
begin
  perform pg_advisory_xact_lock(locks.key) from (
    select distinct hashtextextended(name, 0) as key
    from (
      -- by the key of the person, of whom several accounts may send at the same moment
      select 'send from ' || counter from unnest(counters) as s (counter)
      union all
      select 'send to ' || plate_key from unnest(plate_keys) as p (plate_key)
    ) names (name)
    order by key offset 0
  ) locks;
  return query
    select i.ord, account.created_at > now() - interval '24 hours', sent.hour, sent.day, missed.hour, missed.day,
      found.known, found.live, found.all_own, found.vehicle_id, found.owner_id, found.plate, found.live_in,
      pair.day, pair.month, vehicle.hour, earlier.id, earlier.request_hash, earlier.inserted_at, earlier.plate
    from unnest(senders, counters, plate_keys, provinces, idempotency_keys) with ordinality
      as i (sender_id, counter, plate_key, province, key, ord)
    left join lateral (select u.created_at from auth.users u where u.id = i.sender_id offset 0) account on true
    cross join lateral (
      select coalesce(sum(c.count) filter (where c.window_start > now() - interval '1 hour' - slice), 0)::bigint as hour,
        coalesce(sum(c.count), 0)::bigint as day
      from rate_counters c
      where c.key = i.counter and c.window_start > now() - interval '1 day' - slice
    ) sent
    cross join lateral (
      select coalesce(sum(c.count) filter (where c.window_start > now() - interval '1 hour' - slice), 0)::bigint as hour,
        coalesce(sum(c.count), 0)::bigint as day
      from rate_counters c
      where c.key = i.counter || ':miss' and c.window_start > now() - interval '1 day' - slice
    ) missed
    cross join lateral (
      select count(*) filter (where v.counts) as known,
        count(*) filter (where v.reachable) as live,
        (array_agg(v.id) filter (where v.reachable))[1] as vehicle_id,
        (array_agg(v.user_id) filter (where v.reachable))[1] as owner_id,
        (array_agg(v.plate) filter (where v.reachable))[1] as plate,
        array_agg(v.province order by v.province) filter (where v.reachable) as live_in,
        bool_and(v.user_id = i.sender_id) filter (where v.counts) as all_own
      from (
        select v.id, v.user_id, v.plate, v.province, is_reachable(v.status, v.paused, v.user_id) as reachable,
          v.status <> 'rejected' or v.user_id = i.sender_id as counts
        from vehicles v
        where v.plate_key = i.plate_key and (i.province is null or v.province = i.province)
        offset 0
      ) v
    ) found
    -- Every message adds a notification for its owner. Nothing is counted for an owner who has fewer than a limit, so
    -- that the large limits of a load test do not make every send count again.
    left join lateral (
      select n.last_number from notification_counters n where n.user_id = found.owner_id offset 0
    ) owner on true
    cross join lateral (
      select count(*) filter (where newest.inserted_at > now() - interval '1 day') as day, count(*) as month
      from (
        select m.inserted_at from messages m
        where m.sender_id = i.sender_id and m.addressed_to = found.vehicle_id
          and owner.last_number >= least(pair_day_most, pair_month_most)
        order by m.id desc
        limit greatest(pair_day_most, pair_month_most)
      ) newest
      where newest.inserted_at > now() - interval '30 days' and newest.inserted_at > coalesce((
        select max(m.replied_at) from messages m
        where m.sender_id = i.sender_id and m.addressed_to = found.vehicle_id and m.replied_at is not null
      ), '-infinity')
    ) pair
    cross join lateral (
      select count(*) as hour
      from (
        select m.inserted_at from messages m
        where m.vehicle_id = found.vehicle_id and owner.last_number >= vehicle_hour_most
        order by m.id desc
        limit vehicle_hour_most
      ) newest
      where newest.inserted_at > now() - interval '1 hour'
    ) vehicle
    left join lateral (
      select m.id, m.request_hash, m.inserted_at, m.plate
      from messages m
      where m.sender_id = i.sender_id and m.idempotency_key = i.key
      offset 0
    ) earlier on true;
end $function$;

CREATE OR REPLACE FUNCTION public.silence_driver()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from notifications n using driver_messages d
  where d.driver_id = old.id and n.message_id = d.message_id and n.user_id = old.user_id
    and n.type in ('message_received', 'message_answered', 'message_nudged');
  delete from notifications n
  where n.user_id = old.user_id and n.type = 'driver_joined' and n.data ->> 'vehicle_id' = old.vehicle_id::text;
  delete from outbox o using driver_messages d
  where d.driver_id = old.id and o.ref_id = d.message_id and o.recipient_id = old.user_id and o.kind in ('message', 'nudge');
  return old;
end $function$;
