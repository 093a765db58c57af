-- The schema that the migrations make, for reading: nothing runs this file. Reasons stand in the migrations of each feature
-- (server/src/*/NNNN_*.sql). Written by `npm run db:schema`; a test compares it with a migrated database.

-- Extensions

create extension pg_trgm;

-- Schemas

create schema auth;

-- Tables

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
  constraint sign_ups_have_one CHECK (((purpose = 'signup'::text) = (sign_up_id IS NOT NULL)))
);
CREATE INDEX link_requests_sign_up_id ON auth.link_requests USING btree (sign_up_id);
CREATE INDEX link_requests_user_id ON auth.link_requests USING btree (user_id);

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

create table auth.sessions (
  id uuid not null,
  user_id uuid not null,
  amr jsonb not null,
  link_request_id uuid,
  user_agent text,
  ip inet,
  created_at timestamp with time zone default now() not null,
  refreshed_at timestamp with time zone default now() not null,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_link_request_id_fkey FOREIGN KEY (link_request_id) REFERENCES auth.link_requests(id) ON DELETE CASCADE,
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
CREATE INDEX sessions_link_request_id ON auth.sessions USING btree (link_request_id) WHERE (link_request_id IS NOT NULL);
CREATE INDEX sessions_user_id ON auth.sessions USING btree (user_id);
CREATE TRIGGER sessions_ended AFTER DELETE ON auth.sessions FOR EACH ROW EXECUTE FUNCTION auth.hint_at_sessions();

create table auth.sign_ups (
  id uuid not null,
  user_id uuid not null,
  encrypted_password text not null,
  user_metadata jsonb default '{}'::jsonb not null,
  created_at timestamp with time zone default now() not null,
  replaces_earlier boolean default false not null,
  constraint sign_ups_pkey PRIMARY KEY (id),
  constraint sign_ups_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint sign_ups_user_id_key UNIQUE (user_id)
);

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
  constraint users_pkey PRIMARY KEY (id),
  constraint users_email_key UNIQUE (email)
) with (fillfactor=80);
CREATE INDEX users_email_trigrams ON auth.users USING gin (email gin_trgm_ops) WITH (fastupdate=off);
CREATE INDEX users_full_name_trigrams ON auth.users USING gin (full_name_folded gin_trgm_ops) WITH (fastupdate=off);
CREATE TRIGGER users_rights_changed AFTER UPDATE OF banned_until, is_admin ON auth.users FOR EACH ROW WHEN (((old.banned_until IS DISTINCT FROM new.banned_until) OR (old.is_admin <> new.is_admin))) EXECUTE FUNCTION auth.hint_at_sessions();

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
  constraint attachments_pkey PRIMARY KEY (id),
  constraint attachments_height_check CHECK ((height > 0)),
  constraint attachments_name_check CHECK ((name ~ '^[A-Za-z0-9_-]{43}$'::text)),
  constraint attachments_name_key UNIQUE (name),
  constraint attachments_size_check CHECK ((size > 0)),
  constraint attachments_uploader_id_fkey FOREIGN KEY (uploader_id) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint attachments_width_check CHECK ((width > 0))
);
CREATE INDEX attachments_created_at ON public.attachments USING btree (created_at);
CREATE INDEX attachments_uploader_id ON public.attachments USING btree (uploader_id);
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
CREATE INDEX audit_log_subject ON public.audit_log USING btree (subject_id, id DESC);
CREATE TRIGGER audit_log_append_only BEFORE DELETE OR UPDATE ON public.audit_log FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_log_never_emptied BEFORE TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

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
  user_id uuid not null,
  created_at timestamp with time zone default now() not null,
  constraint challenges_started_pkey PRIMARY KEY (id),
  constraint challenges_started_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
CREATE INDEX challenges_started_user_id ON public.challenges_started USING btree (user_id, created_at);

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
CREATE INDEX contact_submissions_created_at ON public.contact_submissions USING btree (created_at);
CREATE UNIQUE INDEX contact_submissions_repeat_hash ON public.contact_submissions USING btree (repeat_hash) WHERE (repeat_hash IS NOT NULL);

create table public.digests (
  recipient_id uuid not null,
  next_at timestamp with time zone not null,
  tries integer not null,
  lease_token uuid,
  constraint digests_pkey PRIMARY KEY (recipient_id),
  constraint digests_recipient_id_fkey FOREIGN KEY (recipient_id) REFERENCES auth.users(id) ON DELETE CASCADE
);

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

create table public.messages (
  id uuid not null,
  vehicle_id uuid not null,
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
  constraint messages_pkey PRIMARY KEY (id),
  constraint keys_have_a_hash CHECK (((idempotency_key IS NULL) = (request_hash IS NULL))),
  constraint messages_attachment_id_fkey FOREIGN KEY (attachment_id) REFERENCES attachments(id) ON DELETE RESTRICT,
  constraint messages_reason_check CHECK ((reason = ANY (ARRAY['blocked_in'::text, 'lights_on'::text, 'door_open'::text, 'alarm'::text, 'accident'::text, 'flat_or_leak'::text, 'towing'::text, 'someone_inside'::text, 'other'::text]))),
  constraint messages_sender_id_fkey FOREIGN KEY (sender_id) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint messages_vehicle_id_fkey FOREIGN KEY (vehicle_id) REFERENCES vehicles(id) ON DELETE CASCADE,
  constraint replies_have_a_time CHECK (((reply_encrypted IS NULL) = (replied_at IS NULL)))
);
CREATE INDEX messages_pair ON public.messages USING btree (sender_id, vehicle_id, id DESC);
CREATE INDEX messages_pair_replies ON public.messages USING btree (sender_id, vehicle_id, replied_at) WHERE (replied_at IS NOT NULL);
CREATE INDEX messages_sender_id ON public.messages USING btree (sender_id, id DESC);
CREATE INDEX messages_vehicle_id ON public.messages USING btree (vehicle_id, id DESC);
CREATE UNIQUE INDEX messages_attachment_id ON public.messages USING btree (attachment_id) WHERE (attachment_id IS NOT NULL);
CREATE UNIQUE INDEX messages_idempotency_key ON public.messages USING btree (sender_id, idempotency_key) WHERE (idempotency_key IS NOT NULL);
CREATE TRIGGER messages_delete_attachment AFTER DELETE ON public.messages FOR EACH ROW WHEN ((old.attachment_id IS NOT NULL)) EXECUTE FUNCTION delete_message_attachment();
CREATE TRIGGER messages_delete_mails AFTER DELETE ON public.messages REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION delete_message_mails();

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
  constraint outbox_pkey PRIMARY KEY (id),
  constraint ended_once CHECK (((sent_at IS NULL) OR (failed_at IS NULL))),
  constraint only_contact_mails_have_no_account CHECK (((recipient_id IS NOT NULL) OR (kind = 'contact'::text))),
  constraint outbox_recipient_id_fkey FOREIGN KEY (recipient_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint outbox_ref_id_kind_recipient_id_key UNIQUE (ref_id, kind, recipient_id)
);
CREATE INDEX outbox_ended ON public.outbox USING btree (created_at) WHERE (((sent_at IS NOT NULL) OR (failed_at IS NOT NULL)) AND (kind <> 'message'::text));
CREATE INDEX outbox_fresh ON public.outbox USING btree (run_at) WHERE ((attempts = 0) AND (sent_at IS NULL) AND (failed_at IS NULL) AND (kind <> 'message'::text));
CREATE INDEX outbox_fresh_messages ON public.outbox USING btree (run_at) WHERE ((attempts = 0) AND (sent_at IS NULL) AND (failed_at IS NULL) AND (kind = 'message'::text));
CREATE INDEX outbox_recipient_id ON public.outbox USING btree (recipient_id);
CREATE INDEX outbox_retried_messages ON public.outbox USING btree (run_at) WHERE ((attempts > 0) AND (sent_at IS NULL) AND (failed_at IS NULL) AND (kind = 'message'::text));
CREATE INDEX outbox_retries ON public.outbox USING btree (run_at) WHERE ((attempts > 0) AND (sent_at IS NULL) AND (failed_at IS NULL) AND (kind <> 'message'::text));
CREATE INDEX outbox_waiting_messages ON public.outbox USING btree (recipient_id, id) WHERE ((kind = 'message'::text) AND (sent_at IS NULL) AND (failed_at IS NULL));
CREATE UNIQUE INDEX outbox_without_account ON public.outbox USING btree (ref_id, kind) WHERE (recipient_id IS NULL);

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
  constraint plate_disputes_pkey PRIMARY KEY (id),
  constraint plate_disputes_challenger_vehicle_id_fkey FOREIGN KEY (challenger_vehicle_id) REFERENCES vehicles(id) ON DELETE CASCADE,
  constraint plate_disputes_challenger_vehicle_id_key UNIQUE (challenger_vehicle_id),
  constraint plate_disputes_incumbent_status_check CHECK ((incumbent_status = ANY (ARRAY['active'::text, 'verified'::text, 'approved'::text]))),
  constraint plate_disputes_incumbent_vehicle_id_fkey FOREIGN KEY (incumbent_vehicle_id) REFERENCES vehicles(id) ON DELETE CASCADE,
  constraint two_sides CHECK ((incumbent_vehicle_id <> challenger_vehicle_id))
);
CREATE INDEX plate_disputes_due ON public.plate_disputes USING btree (documents_due_at, id);
CREATE INDEX plate_disputes_incumbent ON public.plate_disputes USING btree (incumbent_vehicle_id);
CREATE INDEX plate_disputes_plate ON public.plate_disputes USING btree (province, plate_key);
CREATE CONSTRAINT TRIGGER plate_disputes_state AFTER INSERT OR DELETE OR UPDATE OF province, plate_key, incumbent_vehicle_id, incumbent_status, challenger_vehicle_id ON public.plate_disputes DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_dispute_sides();

create table public.preferences (
  user_id uuid not null,
  locale text default 'en'::text not null,
  email_messages boolean default true not null,
  email_message_text boolean default true not null,
  constraint preferences_pkey PRIMARY KEY (user_id),
  constraint preferences_locale_check CHECK ((locale = ANY (ARRAY['en'::text, 'fr-CA'::text]))),
  constraint preferences_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);

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
  constraint rate_counters_pkey PRIMARY KEY (key, window_start)
);
CREATE INDEX rate_counters_window_start ON public.rate_counters USING btree (window_start);

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
CREATE CONSTRAINT TRIGGER vehicles_dispute_begun AFTER INSERT ON public.vehicles DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.status = 'pending_verification'::text)) EXECUTE FUNCTION check_vehicle_dispute();
CREATE CONSTRAINT TRIGGER vehicles_dispute_state AFTER UPDATE OF status ON public.vehicles DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((old.status <> new.status)) EXECUTE FUNCTION check_vehicle_dispute();

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
  broken text;
begin
  select * into vehicle from vehicles where id = checked_id;
  if not found then return; end if;
  challenges := exists (select from plate_disputes where challenger_vehicle_id = checked_id);
  select min(incumbent_status) into earlier_status from plate_disputes where incumbent_vehicle_id = checked_id;
  broken := case
    when challenges and earlier_status is not null then 'is both sides of a dispute'
    when challenges and vehicle.status <> 'pending_verification' then 'challenges a plate and does not wait'
    when earlier_status = 'verified' and vehicle.status <> 'verified' then 'was verified before its dispute and is not'
    when earlier_status <> 'verified' and vehicle.status <> 'pending_verification' then 'is in a dispute and not paused'
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

CREATE OR REPLACE FUNCTION public.is_live(status text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select status in ('active', 'verified')
$function$;

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

CREATE OR REPLACE FUNCTION public.remember_attachment_file()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into attachment_files_to_delete (name) values (old.name) on conflict do nothing;
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
      select 'send from ' || sender from unnest(senders) as s (sender)
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
      select count(*) as known,
        count(*) filter (where is_live(v.status)) as live,
        (array_agg(v.id) filter (where is_live(v.status)))[1] as vehicle_id,
        (array_agg(v.user_id) filter (where is_live(v.status)))[1] as owner_id,
        (array_agg(v.plate) filter (where is_live(v.status)))[1] as plate,
        array_agg(v.province order by v.province) filter (where is_live(v.status)) as live_in,
        bool_and(v.user_id = i.sender_id) as all_own
      from vehicles v
      where v.plate_key = i.plate_key and (i.province is null or v.province = i.province)
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
        where m.sender_id = i.sender_id and m.vehicle_id = found.vehicle_id
          and owner.last_number >= least(pair_day_most, pair_month_most)
        order by m.id desc
        limit greatest(pair_day_most, pair_month_most)
      ) newest
      where newest.inserted_at > now() - interval '30 days' and newest.inserted_at > coalesce((
        select max(m.replied_at) from messages m
        where m.sender_id = i.sender_id and m.vehicle_id = found.vehicle_id and m.replied_at is not null
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
      select m.id, m.request_hash, m.inserted_at, v.plate
      from messages m
      join vehicles v on v.id = m.vehicle_id
      where m.sender_id = i.sender_id and m.idempotency_key = i.key
      offset 0
    ) earlier on true;
end $function$;
