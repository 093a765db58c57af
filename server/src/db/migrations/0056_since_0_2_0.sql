-- Brings a database of 0.2.0 to the tables in each feature's schema.sql, where the reasons stand. It takes away what servers of
-- 0.2.0 use, so that none may run beside it.
do $$ begin
  if exists (
    select from pg_stat_activity
    where datname = current_database() and application_name = 'platenote' and pid <> pg_backend_pid()) then
    raise exception 'A server or a command of 0.2.0 is connected to this database. Stop all of them, make a backup, and start this version again.';
  end if;
end $$;

-- Nothing set `banned_until` but an operator by hand. Suspensions are of people, so it goes; nobody is let in again unnoticed.
do $$ begin
  if exists (select from auth.users where banned_until > now()) then
    raise exception 'An account has auth.users.banned_until, which this version ignores. Set it to null, start this version again, and suspend its person: platenote admin suspend <email>';
  end if;
end $$;
drop trigger users_rights_changed on auth.users;
alter table auth.users drop column banned_until;
create trigger users_rights_changed after update of is_admin on auth.users
  for each row when (old.is_admin <> new.is_admin) execute function auth.hint_at_sessions();

-- what was taken away
drop table incidents, opening_lists, notices, contact_answers;
drop function refuse_incident_change();
delete from outbox where kind in ('opening_list', 'notice', 'contact_answer');
-- what somebody wrote on the contact page is there until its email has been delivered
delete from contact_submissions s where not exists (
  select from outbox o where o.ref_id = s.id and o.kind = 'contact' and o.sent_at is null);
-- with the indexes of the lists
alter table contact_submissions drop column closed_at, drop column repeat_hash;
drop index contact_submissions_created_at;
drop trigger messages_complete on messages;
drop function complete_message(), person_facts(uuid, text, text[], text[], interval, interval), is_reachable(text, boolean, uuid),
  send_facts(uuid[], text[], text[], text[], text[], interval, integer, integer, integer);
alter table rate_counters alter column expires_at drop default;
alter table auth.sign_ups drop column replaces_earlier;

-- what is recorded of deletions
create table deletions (
  table_name text not null,
  row_id uuid not null,
  deleted_at timestamptz not null default now(),
  is_copied boolean not null default false,
  primary key (row_id, table_name)
);
create index deletions_deleted_at on deletions (deleted_at);
create index deletions_to_copy on deletions (deleted_at) where not is_copied;
create function record_deletions() returns trigger language plpgsql as $$
begin
  insert into deletions (table_name, row_id) select tg_table_schema || '.' || tg_table_name, id from gone
  on conflict do nothing;
  return null;
end $$;
create trigger users_deletions after delete on auth.users
  referencing old table as gone for each statement execute function record_deletions();
create trigger factors_deletions after delete on auth.factors
  referencing old table as gone for each statement execute function record_deletions();
create trigger vehicles_deletions after delete on vehicles
  referencing old table as gone for each statement execute function record_deletions();
create trigger vehicle_drivers_deletions after delete on vehicle_drivers
  referencing old table as gone for each statement execute function record_deletions();
create trigger vehicle_invitations_deletions after delete on vehicle_invitations
  referencing old table as gone for each statement execute function record_deletions();
create trigger tags_deletions after delete on tags
  referencing old table as gone for each statement execute function record_deletions();
create trigger messages_deletions after delete on messages
  referencing old table as gone for each statement execute function record_deletions();
create trigger notes_deletions after delete on notes
  referencing old table as gone for each statement execute function record_deletions();
create trigger attachments_deletions after delete on attachments
  referencing old table as gone for each statement execute function record_deletions();
create trigger dispute_documents_deletions after delete on dispute_documents
  referencing old table as gone for each statement execute function record_deletions();
create trigger blocks_deletions after delete on blocks
  referencing old table as gone for each statement execute function record_deletions();
create trigger contact_submissions_deletions after delete on contact_submissions
  referencing old table as gone for each statement execute function record_deletions();

-- files to delete, in one list
create table files_to_delete (
  name text primary key,
  delete_after timestamptz not null default now()
);
insert into files_to_delete (name, delete_after)
select name || '.webp', created_at from attachment_files_to_delete
union all select file_name || '.sealed', delete_after from document_files_to_delete;
create function remember_file() returns trigger language plpgsql as $$
begin
  insert into files_to_delete (name) values ((to_jsonb(old) ->> tg_argv[0]) || tg_argv[1]) on conflict do nothing;
  return null;
end $$;
create or replace trigger attachments_remember_file after delete on attachments
  for each row execute function remember_file('name', '.webp');
create or replace trigger dispute_documents_remember_file after delete on dispute_documents
  for each row execute function remember_file('file_name', '.sealed');
drop function remember_attachment_file(), remember_document_file();
drop table attachment_files_to_delete, document_files_to_delete;

-- changes of an account's address
-- Changes of an account's address (decision email-change): asked for, confirmed from both mailboxes, and undone from the former one.

create table auth.email_changes (
  id uuid primary key,
  user_id uuid not null unique references auth.users on delete cascade,
  new_email text not null,
  requested_at timestamptz not null default now(),
  current_confirmed_at timestamptz,
  new_confirmed_at timestamptz
);

create table auth.former_addresses (
  id uuid primary key,
  user_id uuid not null references auth.users on delete cascade,
  email text not null,
  requested_at timestamptz not null,
  changed_at timestamptz not null default now(),
  mailbox_hash bytea
);
create index former_addresses_user_id on auth.former_addresses (user_id, changed_at);

create table auth.email_change_tokens (
  token_hash bytea primary key,
  purpose text not null check (purpose in ('confirm_current', 'confirm_new', 'stop', 'undo')),
  change_id uuid references auth.email_changes on delete cascade on update cascade,
  former_address_id uuid references auth.former_addresses on delete cascade,
  constraint email_change_tokens_have_one check (
    (purpose = 'undo') = (former_address_id is not null) and (purpose = 'undo') = (change_id is null))
);
create index email_change_tokens_change_id on auth.email_change_tokens (change_id) where change_id is not null;
create index email_change_tokens_former_address_id on auth.email_change_tokens (former_address_id)
  where former_address_id is not null;
create table auth.mailbox_people (
  mailbox_hash bytea primary key,
  person_hash bytea not null
);
create index mailbox_people_person_hash on auth.mailbox_people (person_hash);
alter table auth.events drop constraint events_type_check, add constraint events_type_check check (type in (
  'sign_in', 'sign_in_failed', 'sign_in_refused', 'link_used',
  'factor_added', 'factor_used', 'factor_failed', 'factor_removed',
  'session_ended', 'suspended', 'suspension_lifted',
  'email_change_requested', 'email_change_stopped', 'email_changed', 'email_change_undone'));

-- what runs, and what happened in each week
create table job_runs (
  name text primary key,
  every_s double precision not null,
  started_at timestamptz not null,
  took_ms integer,
  ok boolean,
  error text,
  succeeded_at timestamptz
) with (fillfactor = 70);

create table operations_runs (
  name text not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  ok boolean,
  detail text,
  primary key (name, started_at)
);

create table processes (
  id uuid primary key,
  role text not null,
  version text not null,
  node text not null,
  started_at timestamptz not null,
  seen_at timestamptz not null default now(),
  streams integer not null,
  pool_size integer not null,
  pool_in_use integer not null,
  pool_waiting integer not null,
  pool_refused integer not null,
  event_loop_delay_ms double precision not null,
  memory_bytes bigint not null,
  disk_free_bytes bigint,
  disk_total_bytes bigint
) with (fillfactor = 70);
create table weekly_counts (
  starts_on date primary key,
  registrations integer not null,
  messages integer not null,
  reports integer not null
);

-- The text of messages and replies is in emails again unless their recipient turned it off (decision message-emails). A row older than
-- the default 'off' got its 'off' from its person, and keeps it. Any other may never have been looked at: the migration to that
-- default wrote it, or the default did. The age of a default is that of the transaction that set it.
update preferences p set email_message_text = true
from pg_attrdef d
join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
where d.adrelid = 'preferences'::regclass and a.attname = 'email_message_text'
  and not p.email_message_text and age(p.xmin) <= age(d.xmin);
alter table preferences alter column email_message_text set default true,
  add column push_message_text boolean not null default false;
insert into preferences (user_id, push_message_text) select user_id, true from push_preferences where message_text
on conflict (user_id) do update set push_message_text = true;
drop table push_preferences;

-- disputes and the audit log
alter table plate_disputes add column incumbent_succeeded boolean not null default false;
create or replace function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.reason_encrypted is not null and old.reason_encrypted is not null
    and to_jsonb(new) - 'reason_encrypted' = to_jsonb(old) - 'reason_encrypted' then
    return new;
  end if;
  if tg_op = 'DELETE' and old.at <= now() - interval '24 months' then return old; end if;
  raise exception 'the audit log is append-only' using errcode = 'restrict_violation';
end $$;
create or replace trigger audit_log_append_only before update or delete on audit_log
  for each row execute function refuse_audit_change();
drop trigger audit_log_kept on audit_log;

-- emails
alter table outbox drop constraint only_some_mails_have_no_account, add constraint only_some_mails_have_no_account check (
  recipient_id is not null or kind in ('contact', 'email_change_new', 'email_changed'));
alter table outbox add column due_since timestamptz;
drop index outbox_waiting_messages;
create index if not exists outbox_waiting_of_recipient on outbox (recipient_id, id)
  where kind = 'message' and recipient_id is not null and sent_at is null and failed_at is null;
create index outbox_tried on outbox (due_since)
  where due_since is not null and sent_at is null and failed_at is null;
create index outbox_failed on outbox (id desc) where failed_at is not null;
drop trigger outbox_note_refused on outbox;
drop function note_refused_email();
create function show_refused_email() returns trigger language plpgsql as $$
begin
  update messages set email_failed_at = case when new.failed_at is not null then now() + interval '10 minutes'
    + random() * case when new.held then interval '24 hours' else interval '50 minutes' end end
  where id = new.ref_id and (email_failed_at is null) = (new.failed_at is not null);
  return null;
end $$;
create trigger outbox_show_refused after update of failed_at on outbox
  for each row when (new.kind = 'message' and (old.failed_at is null) <> (new.failed_at is null))
  execute function show_refused_email();

-- what goes with messages
drop trigger messages_delete_attachment on messages;
drop trigger messages_delete_mails on messages;
drop trigger messages_remember_collision on messages;
drop trigger messages_release_shared on messages;
drop trigger receipts_release on receipts;
drop trigger collision_cards_delete_photos on collision_cards;
drop function delete_message_attachment(), delete_message_mails(), remember_collision(), release_shared_message(), release_receipt(),
  delete_collision_photos();
alter table messages add column has_collision boolean not null default false;
update messages set has_collision = true where collision_encrypted is not null;
alter table attachments drop constraint links_are_bound,
  add constraint links_are_bound check (link_encrypted is null or link_bound_to is not null);
create function delete_with_messages() returns trigger language plpgsql as $$
begin
  delete from attachments a using gone where a.id = gone.attachment_id;
  delete from outbox where id in (
    select o.id from outbox o join gone on o.ref_id = gone.id and o.kind in ('message', 'reply')
    order by o.id
    for update of o
  );
  insert into collisions_to_forget (message_id) select id from gone where has_collision
  on conflict do nothing;
  return null;
end $$;
create trigger messages_delete_others after delete on messages
  referencing old table as gone for each statement execute function delete_with_messages();
create or replace function release_message() returns trigger language plpgsql as $$
begin
  if old.vehicle_id is not null then
    delete from notifications
    where message_id = new.id and type in ('message_received', 'message_answered', 'message_nudged');
    delete from outbox where ref_id = new.id and kind in ('message', 'nudge');
    delete from message_steps where message_id = new.id;
  end if;
  if new.sender_id is null and not exists (select from receipts where message_id = new.id) then
    delete from messages where id = new.id;
  end if;
  return null;
end $$;

-- what decides about sends
create view live_sanctions as
  select p.person_hash, s.kind
  from subjects p join sanctions s on s.subject_id = p.id
  where s.lifted_at is null and (s.ends_at is null or s.ends_at > now());
create or replace function is_sanctioned(person bytea, sanction text) returns boolean language plpgsql stable parallel safe as $$
begin
  return exists (select from live_sanctions s where s.person_hash = person and s.kind = sanction);
end $$;
create or replace function is_account_sanctioned(account_id uuid, sanction text) returns boolean
language plpgsql stable parallel safe as $$
begin
  return exists (select from auth.users u where u.id = account_id and is_sanctioned(u.person_hash, sanction));
end $$;
-- plates that read alike
create function plate_fold(plate_key text) returns text language sql immutable strict parallel safe as $$
  select translate(plate_key, 'OI', '01')
$$;
drop index vehicles_plate_trigrams;
create index vehicles_plate_trigrams on vehicles using gin (plate_fold(plate_key) gin_trgm_ops) with (fastupdate = off);
create index vehicles_plate_fold on vehicles (plate_fold(plate_key), province) where status <> 'rejected';
create function look_alike(typed text, wanted text) returns table (plate_key text, province text) language sql stable rows 1 as $$
  select min(v.plate_key), min(v.province)
  from vehicles v
  where plate_fold(v.plate_key) = plate_fold(typed) and (wanted is null or v.province = wanted) and v.status <> 'rejected'
    and not exists (select from vehicles x where x.plate_key = typed and (wanted is null or x.province = wanted))
  having min(v.plate_key) = max(v.plate_key) and min(v.province) = max(v.province)
$$;
create function vehicles_with_plate(key text, wanted text, sender uuid)
returns table (known bigint, live bigint, vehicle_id uuid, owner_id uuid, plate text, live_in text[], all_own boolean)
language sql stable rows 1 as $$
  select count(*), count(*) filter (where v.reachable),
    (array_agg(v.id) filter (where v.reachable))[1],
    (array_agg(v.user_id) filter (where v.reachable))[1],
    (array_agg(v.plate) filter (where v.reachable))[1],
    array_agg(v.province order by v.province) filter (where v.reachable),
    bool_and(v.user_id = sender)
  from (
    select v.id, v.user_id, v.plate, v.province, is_reachable(v.status, v.paused) and suspended.yes is null as reachable
    from vehicles v
    join auth.users owner on owner.id = v.user_id
    left join lateral (
      select true as yes from live_sanctions s where s.person_hash = owner.person_hash and s.kind = 'suspend' limit 1
    ) suspended on true
    where v.plate_key = key and (wanted is null or v.province = wanted)
    offset 0
  ) v
$$;
create function vehicles_with_look_alike(key text, wanted text, sender uuid)
returns table (known bigint, live bigint, vehicle_id uuid, owner_id uuid, plate text, live_in text[], all_own boolean)
language plpgsql stable rows 1 set enable_seqscan = off as $$
begin
  return query
  select v.* from look_alike(key, wanted) a cross join lateral vehicles_with_plate(a.plate_key, a.province, sender) v;
end $$;
create function facts_for_sends(
  sends jsonb,
  -- the precision of counted times, and how much of a day's own makes the networks of a person matter
  slice interval, network_slice interval, own_sends integer, own_misses integer
) returns table (
  ord bigint, first_day boolean, is_limited boolean,
  sent_hour bigint, sent_day bigint, missed_hour bigint, missed_day bigint,
  -- in the order of the networks of the send; null where they do not matter
  network_first_day bigint[], network_missed bigint[],
  known bigint, live bigint, all_own boolean, vehicle_id uuid, owner_id uuid, plate text, live_in text[],
  is_shared boolean, is_driver boolean, holder_id uuid, told_id uuid,
  pair_key text, pair_day bigint, pair_month bigint,
  earlier_id uuid, earlier_hash bytea, earlier_at timestamptz, earlier_plate text
) language plpgsql volatile rows 16
-- A plan is made once per connection, perhaps while the tables are empty. It has to be the plan for full tables, which
-- looks up each row by its index.
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
  hour_ago timestamptz := now() - interval '1 hour' - slice;
  day_ago timestamptz := now() - interval '1 day' - slice;
begin
  perform pg_advisory_xact_lock(locks.key) from (
    -- by the key of the person, of whom several accounts may send at the same moment
    select distinct hashtextextended('send from ' || counter, 0) as key from jsonb_to_recordset(sends) as s (counter text)
    order by key offset 0
  ) locks;
  -- a statement of its own after the locks, so that it reads what those waited for
  return query
    select i.ord, coalesce(account.first_day, false), limited.yes is not null,
      counted.sent_hour, counted.sent_day, counted.missed_hour, counted.missed_day, networks.first_day, networks.missed,
      found.known, found.live, found.all_own, found.vehicle_id, found.owner_id, found.plate, found.live_in,
      people.n > 0, people.sends, first.holder_id, coalesce(first.told_id, found.owner_id),
      pair.key, counted.pair_day, counted.pair_month,
      earlier.id, earlier.request_hash, earlier.inserted_at, earlier.plate
    from jsonb_to_recordset(sends) as i (ord bigint, sender_id uuid, counter text, plate_key text, province text, key text,
      pair_secret bytea, block_secret bytea, first_day_keys text[], miss_keys text[])
    left join lateral (
      select coalesce(u.email_confirmed_at, u.created_at) > now() - interval '24 hours' as first_day, u.person_hash
      from auth.users u where u.id = i.sender_id offset 0
    ) account on true
    left join lateral (
      select true as yes from live_sanctions s where s.person_hash = account.person_hash and s.kind = 'limit' limit 1
    ) limited on true
    cross join lateral vehicles_with_plate(i.plate_key, i.province, i.sender_id) typed
    left join lateral (
      select a.* from vehicles_with_look_alike(i.plate_key, i.province, i.sender_id) a where typed.known = 0 offset 0
    ) alike on true
    cross join lateral (
      select coalesce(alike.known, typed.known) as known, coalesce(alike.live, typed.live) as live,
        coalesce(alike.vehicle_id, typed.vehicle_id) as vehicle_id, coalesce(alike.owner_id, typed.owner_id) as owner_id,
        coalesce(alike.plate, typed.plate) as plate, coalesce(alike.live_in, typed.live_in) as live_in,
        coalesce(alike.all_own, typed.all_own) as all_own
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
    ) pair
    -- what the person sent, asked in vain, and sent to this vehicle
    cross join lateral (
      select coalesce(sum(c.count) filter (where c.key = i.counter and c.window_start > hour_ago), 0)::bigint as sent_hour,
        coalesce(sum(c.count) filter (where c.key = i.counter and c.window_start > day_ago), 0)::bigint as sent_day,
        coalesce(sum(c.count) filter (where c.key = i.counter || ':miss' and c.window_start > hour_ago), 0)::bigint as missed_hour,
        coalesce(sum(c.count) filter (where c.key = i.counter || ':miss' and c.window_start > day_ago), 0)::bigint as missed_day,
        coalesce(sum(c.count) filter (where c.key = pair.key and c.window_start > day_ago), 0)::bigint as pair_day,
        coalesce(sum(c.count) filter (where c.key = pair.key), 0)::bigint as pair_month
      from rate_counters c
      where c.key in (i.counter, i.counter || ':miss', pair.key) and c.window_start > now() - interval '30 days' - slice
    ) counted
    cross join lateral (
      select account.first_day and counted.sent_day >= own_sends as first_day, counted.missed_day >= own_misses as missed
    ) matters
    left join lateral (
      select array_agg(sums.first_day order by n.place) filter (where matters.first_day) as first_day,
        array_agg(sums.missed order by n.place) filter (where matters.missed) as missed
      from unnest(i.first_day_keys, i.miss_keys) with ordinality n (first_day_key, miss_key, place)
      cross join lateral (
        select coalesce(sum(c.count) filter (where c.key = n.first_day_key), 0)::bigint as first_day,
          coalesce(sum(c.count) filter (where c.key = n.miss_key), 0)::bigint as missed
        from rate_counters c
        where c.key in (n.first_day_key, n.miss_key) and c.window_start > now() - interval '1 day' - network_slice
      ) sums
      where matters.first_day or matters.missed
    ) networks on true
    left join lateral (
      select m.id, m.request_hash, m.inserted_at, m.plate
      from messages m
      where m.sender_id = i.sender_id and m.idempotency_key = i.key
      offset 0
    ) earlier on true;
end $$;
-- the counts of a pair say all, and nothing finds a count by its time
drop index messages_pair, messages_pair_replies, rate_counters_window_start;

-- a database says from here on only what came after 0.2.0
delete from schema_migrations;

-- signing in with a code from an email
create table auth.email_codes (
  address_hash bytea primary key,
  code_hash bytea,
  request_id uuid references auth.link_requests on delete cascade,
  tries integer not null,
  expires_at timestamptz not null,
  constraint codes_have_a_request check ((code_hash is null) = (request_id is null))
);
create index email_codes_request_id on auth.email_codes (request_id) where request_id is not null;
create index email_codes_expires_at on auth.email_codes (expires_at);
alter table auth.link_request_queue add column create_user boolean not null default false;

-- the notices of accounts that wait name their time and their change in one way
update outbox set data = data || jsonb_build_object('at', coalesce(data ->> 'at', data ->> 'changed_at', data ->> 'ended_at'))
  || case when kind = 'password_changed' and not data ? 'change' then '{"change": "changed"}'::jsonb else '{}' end
where kind in ('password_changed', 'factor_changed', 'session_stolen');
