-- Accounts and sessions (decision 0035; the wire protocol is GoTrue's). Secrets are stored hashed only.
create schema if not exists auth;

create table auth.users (
  id uuid primary key,
  -- ASCII letters lower-cased by the server; compared by equality
  email text not null unique,
  -- null until an address is confirmed: the password belongs to the link that is clicked (decision 0062)
  encrypted_password text,
  email_confirmed_at timestamptz,
  confirmation_sent_at timestamptz,
  recovery_sent_at timestamptz,
  last_sign_in_at timestamptz,
  user_metadata jsonb not null default '{}',
  -- server-only; shown read-only as user_metadata.is_admin (decision 0053)
  is_admin boolean not null default false,
  banned_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- for admins, who search accounts by a part of the address or of the full name (requirements §2)
  full_name_folded text generated always as (search_fold(user_metadata ->> 'full_name')) stored
-- room on each page: a sign-in writes the account's row again, and with it beside the old one none of its indexes
) with (fillfactor = 80);
-- Written at once (fastupdate off): a list of what is not sorted in yet would be read by every search.
create index users_email_trigrams on auth.users using gin (email gin_trgm_ops) with (fastupdate = off);
create index users_full_name_trigrams on auth.users using gin (full_name_folded gin_trgm_ops) with (fastupdate = off);
-- The planner estimates how common a part of a text is from a sample: with 100 values, one in fifty is often missed.
alter table auth.users alter column email set statistics 500, alter column full_name_folded set statistics 500;

-- Sign-ups whose link has not been used; a newer one for the same account ends the older (decision 0062).
create table auth.sign_ups (
  id uuid primary key,
  user_id uuid not null unique references auth.users on delete cascade,
  encrypted_password text not null,
  user_metadata jsonb not null default '{}',
  created_at timestamptz not null default now(),
  -- whether it ended an earlier one of the same address: its email then says that the password is the newer one's,
  -- because a stranger may have made it
  replaces_earlier boolean not null default false
);

-- A request for an email with a link. The outbox refers to it; the link itself is created when the email is sent.
create table auth.link_requests (
  id uuid primary key,
  user_id uuid not null references auth.users on delete cascade,
  purpose text not null check (purpose in ('signup', 'magiclink', 'recovery')),
  sign_up_id uuid references auth.sign_ups on delete cascade,
  redirect_to text not null,
  created_at timestamptz not null default now(),
  constraint sign_ups_have_one check ((purpose = 'signup') = (sign_up_id is not null))
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

create table auth.sessions (
  id uuid primary key,
  user_id uuid not null references auth.users on delete cascade,
  -- how the person signed in: [{"method": "password", "timestamp": …}] (RFC 8176's idea, GoTrue's shape)
  amr jsonb not null,
  -- the link this session came from, until the session is first used; only then is the link used up
  link_request_id uuid references auth.link_requests on delete cascade,
  user_agent text,
  ip inet,
  created_at timestamptz not null default now(),
  refreshed_at timestamptz not null default now()
);
create index sessions_user_id on auth.sessions (user_id);
create index sessions_link_request_id on auth.sessions (link_request_id) where link_request_id is not null;

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

-- Requests to /otp, /resend and /recover, queued before anything looks whether the address has an account: the response
-- is sent once this row is stored, so that its time is the same for every address. A row lives for a moment.
create table auth.link_request_queue (
  id uuid primary key,
  -- as it was requested; it may belong to no account
  email text not null,
  call text not null check (call in ('otp', 'resend', 'recover')),
  -- where the link leads, already one of our pages; null: the default page of the purpose in this language
  redirect_to text,
  locale text not null check (locale in ('en', 'fr-CA')),
  created_at timestamptz not null default now()
);

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
create trigger users_rights_changed after update of banned_until, is_admin on auth.users
  for each row when (old.banned_until is distinct from new.banned_until or old.is_admin <> new.is_admin)
  execute function auth.hint_at_sessions();
