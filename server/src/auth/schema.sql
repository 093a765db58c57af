-- Accounts and sessions (decision sessions-and-passwords; the wire protocol is GoTrue's). Secrets are stored hashed only.
create schema auth;

create table auth.users (
  id uuid primary key,
  -- ASCII letters lower-cased by the server; compared by equality
  email text not null unique,
  -- null until an address is confirmed: the password belongs to the link that is clicked (decision mailed-links)
  encrypted_password text,
  email_confirmed_at timestamptz,
  confirmation_sent_at timestamptz,
  recovery_sent_at timestamptz,
  last_sign_in_at timestamptz,
  -- when all sessions, or all but one, last ended at once: what earlier emails allow without a session ended with them
  signed_out_at timestamptz,
  user_metadata jsonb not null default '{}',
  -- for admins, who search accounts by a part of the address or of the full name (requirements §2)
  full_name_folded text generated always as (search_fold(user_metadata ->> 'full_name')) stored,
  -- server-only; shown read-only as user_metadata.is_admin (decision server-authorization)
  is_admin boolean not null default false,
  -- the keyed hash of the mailbox the account belongs to (decision rate-limits)
  person_hash bytea not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
-- room on each page: a sign-in writes the account's row again, and with it beside the old one none of its indexes
) with (fillfactor = 80);
-- Written at once (fastupdate off): a list of what is not sorted in yet would be read by every search.
create index users_email_trigrams on auth.users using gin (email gin_trgm_ops) with (fastupdate = off);
create index users_full_name_trigrams on auth.users using gin (full_name_folded gin_trgm_ops) with (fastupdate = off);
-- The planner estimates how common a part of a text is from a sample: with 100 values, one in fifty is often missed.
alter table auth.users alter column email set statistics 500, alter column full_name_folded set statistics 500;
create index users_person_hash on auth.users (person_hash);
create trigger users_deletions after delete on auth.users
  referencing old table as gone for each statement execute function record_deletions();

-- Whose mailbox it is, where an account has moved to it: an account made there later is the same person's. Keyed hashes only.
create table auth.mailbox_people (
  mailbox_hash bytea primary key,
  person_hash bytea not null
);
create index mailbox_people_person_hash on auth.mailbox_people (person_hash);

-- Second factors (decision second-factor): an authenticator app (TOTP, RFC 6238) or a passkey (WebAuthn). One is `verified` once it
-- has been used, and from then on the account's sessions need one.
create table auth.factors (
  id uuid primary key,
  user_id uuid not null references auth.users on delete cascade,
  factor_type text not null check (factor_type in ('totp', 'webauthn')),
  -- what the person calls it; may be empty
  friendly_name text not null,
  -- null: enrolled, and not used yet
  verified_at timestamptz,
  last_challenged_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- of an app: its secret in base32, encrypted like everything that must not be read from a copy of the database
  secret_encrypted bytea,
  -- of an app: the last 30 s step whose code was used; that code and older ones are refused
  last_step bigint,
  -- of a passkey: the credential, in the base64url of WebAuthn's JSON
  credential_id text unique,
  public_key text,
  sign_count bigint,
  transports text[],
  -- since when it is no longer asked for; the email about that can put it back (decision mailbox-keeps-the-account)
  removed_at timestamptz,
  constraint apps_have_a_secret check ((factor_type = 'totp') = (secret_encrypted is not null)),
  constraint used_passkeys_have_a_key
    check (factor_type = 'totp' or (verified_at is null) = (public_key is null) and (public_key is null) = (credential_id is null))
);
create index factors_user_id on auth.factors (user_id);
create trigger factors_deletions after delete on auth.factors
  referencing old table as gone for each statement execute function record_deletions();
-- A restored backup must not bring back one that was removed either.
create function auth.record_factor_removal() returns trigger language plpgsql as $$
begin
  if new.removed_at is null then
    update deletions set is_undone = true, is_copied = false where table_name = 'auth.factors' and row_id = new.id;
  else
    insert into deletions (table_name, row_id) values ('auth.factors', new.id)
    on conflict (row_id, table_name) do update set is_undone = false, is_copied = false;
  end if;
  return null;
end $$;
create trigger factors_removals after update of removed_at on auth.factors
  for each row when ((old.removed_at is null) <> (new.removed_at is null)) execute function auth.record_factor_removal();

-- A request for an email with a link. The outbox refers to it; the link itself is created when the email is sent.
create table auth.link_requests (
  id uuid primary key,
  user_id uuid not null references auth.users on delete cascade,
  purpose text not null check (purpose in ('signup', 'magiclink', 'recovery')),
  -- the sign-up it confirms; null also for a link that was asked for again while several sign-ups wait: it belongs to none
  sign_up_id uuid,
  redirect_to text not null,
  created_at timestamptz not null default now(),
  constraint sign_ups_have_links_of_their_own check (purpose = 'signup' or sign_up_id is null)
);
create index link_requests_user_id on auth.link_requests (user_id);
create index link_requests_sign_up_id on auth.link_requests (sign_up_id);

create table auth.one_time_tokens (
  -- sha256 of the 32 random bytes in the link
  token_hash bytea primary key,
  request_id uuid not null references auth.link_requests on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index one_time_tokens_request_id on auth.one_time_tokens (request_id);

-- The code of the newest email with one, for whoever types it where they are (decision mailed-links), and how often somebody tried.
-- Tries with an address that has no code make a row too: they take as long, and are answered alike.
create table auth.email_codes (
  -- keyed hash of the address
  address_hash bytea primary key,
  -- keyed hash of the request and the six digits
  code_hash bytea,
  request_id uuid references auth.link_requests on delete cascade,
  tries integer not null,
  expires_at timestamptz not null,
  constraint codes_have_a_request check ((code_hash is null) = (request_id is null))
);
create index email_codes_request_id on auth.email_codes (request_id) where request_id is not null;
create index email_codes_expires_at on auth.email_codes (expires_at);

create table auth.sessions (
  id uuid primary key,
  user_id uuid not null references auth.users on delete cascade,
  -- how the person signed in: [{"method": "password", "timestamp": …}] (RFC 8176's idea, GoTrue's shape)
  amr jsonb not null,
  -- the link this session came from, until the session is first used; only then is the link used up
  link_request_id uuid references auth.link_requests on delete cascade,
  user_agent text,
  ip inet,
  -- what remains of the IP address after 90 days (decision retention-and-deletion): a keyed hash of its network
  network_hash bytea,
  created_at timestamptz not null default now(),
  refreshed_at timestamptz not null default now(),
  -- How many times the session was refreshed, and of which refresh the client has shown that its response arrived: an access
  -- token carries its generation, and the first request with it sets received_generation. -1: nothing has been shown.
  generation integer not null default 0,
  received_generation integer not null default -1,
  -- the factor it was last verified with, and when; null: never (aal1). It loses it with the factor.
  factor_id uuid references auth.factors on delete set null,
  factor_verified_at timestamptz
);
-- the list of a person's sessions, and the cap on them: the longest unused ends
create index sessions_by_last_use on auth.sessions (user_id, refreshed_at desc, id desc);
create index sessions_link_request_id on auth.sessions (link_request_id) where link_request_id is not null;
create index sessions_factor_id on auth.sessions (factor_id) where factor_id is not null;

-- The latest request in an admin's session, to the minute: it ends after half an hour without one. Apart from the sessions,
-- whose rows are not to be written again for every request.
create table auth.session_uses (
  session_id uuid primary key references auth.sessions on delete cascade,
  used_at timestamptz not null
);

create table auth.refresh_tokens (
  -- sha256 of the opaque token
  token_hash bytea primary key,
  session_id uuid not null references auth.sessions on delete cascade,
  parent_hash bytea,
  -- when it was exchanged for its child; null for the newest of the family
  used_at timestamptz,
  created_at timestamptz not null default now()
);
create index refresh_tokens_session_id on auth.refresh_tokens (session_id);
create unique index refresh_tokens_one_active on auth.refresh_tokens (session_id) where used_at is null;

-- What a session was asked to prove. A row is used once, by the session that asked for it, within five minutes.
create table auth.factor_challenges (
  id uuid primary key,
  factor_id uuid not null references auth.factors on delete cascade,
  session_id uuid not null references auth.sessions on delete cascade,
  -- the random bytes a passkey signs, in base64url
  challenge text,
  failures integer not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index factor_challenges_factor_id on auth.factor_challenges (factor_id);
create index factor_challenges_session_id on auth.factor_challenges (session_id);
create index factor_challenges_expires_at on auth.factor_challenges (expires_at);

-- Sign-ups whose link has not been used. Those of one address wait side by side, each with its own link (decision mailed-links).
create table auth.sign_ups (
  id uuid primary key,
  user_id uuid not null references auth.users on delete cascade,
  encrypted_password text not null,
  user_metadata jsonb not null default '{}',
  created_at timestamptz not null default now(),
  -- sha256 of a secret that only the browser has which signed up; null when the client sent none
  proof_hash bytea,
  -- the session of the link that confirmed the address: for some minutes it may still choose this sign-up's password
  session_id uuid references auth.sessions on delete cascade,
  -- What it agreed to. It becomes the consent of the account together with the password, which shows whose sign-up it was.
  terms_version text,
  terms_locale text check (terms_locale in ('en', 'fr-CA')),
  constraint terms_have_a_language check ((terms_version is null) = (terms_locale is null))
);
create index sign_ups_user_id on auth.sign_ups (user_id, created_at desc);
create index sign_ups_session_id on auth.sign_ups (session_id) where session_id is not null;
-- sign-ups, their links and the sessions of these refer to each other in a circle
alter table auth.link_requests add foreign key (sign_up_id) references auth.sign_ups on delete cascade;

-- Requests to /otp, /resend and /recover, queued before anything looks whether the address has an account: the response
-- is sent once this row is stored, so that its time is the same for every address. A row lives for a moment.
create table auth.link_request_queue (
  id uuid primary key,
  -- as it was requested; it may belong to no account
  email text not null,
  call text not null check (call in ('otp', 'resend', 'recover')),
  -- make an account where the address has none; only of `otp`
  create_user boolean not null default false,
  -- where the link leads, already one of our pages; null: the default page of the purpose in this language
  redirect_to text,
  locale text not null check (locale in ('en', 'fr-CA')),
  created_at timestamptz not null default now()
);

-- Changes of an account's address (decision email-change): asked for, confirmed from both mailboxes, and undone from the former one.

-- A change that waits until both mailboxes have confirmed it; one for each account.
create table auth.email_changes (
  -- a new one whenever its emails are sent again: they are about it
  id uuid primary key,
  user_id uuid not null unique references auth.users on delete cascade,
  -- as it was asked for; whether it has an account is looked up when its email is written
  new_email text not null,
  requested_at timestamptz not null default now(),
  current_confirmed_at timestamptz,
  new_confirmed_at timestamptz
);

-- The address an account had before a change, for as long as its mailbox can undo it.
create table auth.former_addresses (
  id uuid primary key,
  user_id uuid not null references auth.users on delete cascade,
  email text not null,
  changed_at timestamptz not null default now(),
  -- the mailbox the account moved to, if the change made it this person's: to undo the change takes it back
  mailbox_hash bytea
);
create index former_addresses_user_id on auth.former_addresses (user_id, changed_at);

-- The links that confirm a change of address, and those of 'This wasn't me' (decision mailbox-keeps-the-account): sha256 of the 32
-- random bytes in the link.
create table auth.account_link_tokens (
  token_hash bytea primary key,
  purpose text not null check (purpose in ('confirm_current', 'confirm_new', 'undo')),
  -- the change it confirms
  change_id uuid references auth.email_changes on delete cascade on update cascade,
  -- the account in which it undoes what happened from a moment on: that of which its email tells
  user_id uuid references auth.users on delete cascade,
  since timestamptz,
  -- whether its email tells of the address: only then does it give a former one back
  restores_address boolean not null default false,
  constraint account_link_tokens_have_one check (
    (purpose = 'undo') = (user_id is not null) and (purpose = 'undo') = (since is not null)
    and (purpose = 'undo') = (change_id is null) and (purpose = 'undo' or not restores_address))
);
create index account_link_tokens_change_id on auth.account_link_tokens (change_id) where change_id is not null;
create index account_link_tokens_user_id on auth.account_link_tokens (user_id, since) where user_id is not null;

-- What happened to an account (decision account-events), for its person and for admins: kept for 90 days. No address is stored.
create table auth.events (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  type text not null check (type in (
    'sign_in', 'sign_in_failed', 'sign_in_refused', 'link_used',
    'factor_added', 'factor_used', 'factor_failed', 'factor_removed',
    'session_ended', 'suspended', 'suspension_lifted',
    'email_change_requested', 'email_changed', 'changes_undone')),
  -- the session it happened in, which may be over
  session_id uuid,
  -- keyed hash of the network, as coarse as a provider's: an IPv4 /24 or an IPv6 /48
  network_hash bytea,
  -- the browser and the system, such as 'Firefox · Windows'
  device text,
  at timestamptz not null default clock_timestamp()
);
create index events_user_id on auth.events (user_id, at desc, id desc);
create index events_at on auth.events (at);

-- A session ends in many ways: signed out here or elsewhere, a new password, too long without use, suspension, an operator by
-- hand. One that came from a link and was never used never began. Nothing is recorded for an account that is deleted, and at
-- most 30 ends an hour: whoever signs in and out in a loop fills neither the list nor the table.
create function auth.record_session_end() returns trigger language plpgsql as $$
begin
  insert into auth.events (user_id, type, session_id)
  select id, 'session_ended', old.id from auth.users
  where id = old.user_id and (
    select count(*) from auth.events e
    where e.user_id = old.user_id and e.type = 'session_ended' and e.at > now() - interval '1 hour'
  ) < 30;
  return null;
end $$;
create trigger sessions_end_recorded after delete on auth.sessions
  for each row when (old.link_request_id is null) execute function auth.record_session_end();

-- Open live streams learn at once that a session ended or an account's rights changed, whoever did it: a sign-out, a new
-- password, a deletion, a command on the server, or an operator by hand. It is only a hint: the stream checks its session. These
-- transactions are rare, so the lock a NOTIFY holds until the commit costs nothing.
create function auth.hint_at_sessions() returns trigger language plpgsql as $$
declare
  whose uuid;
begin
  if tg_table_name = 'users' then whose := new.id; else whose := old.user_id; end if;
  -- as live/live-hub.ts reads it: said by none of the product's processes, and about sessions
  perform pg_notify('platenote_live', 'database !' || whose);
  return null;
end $$;
create trigger sessions_ended after delete on auth.sessions
  for each row execute function auth.hint_at_sessions();
create trigger users_rights_changed after update of is_admin on auth.users
  for each row when (old.is_admin <> new.is_admin) execute function auth.hint_at_sessions();
