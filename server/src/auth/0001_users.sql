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
  updated_at timestamptz not null default now()
);

-- Sign-ups that wait for their link; a newer one for the same account ends the older (decision 0062).
create table auth.sign_ups (
  id uuid primary key,
  user_id uuid not null unique references auth.users on delete cascade,
  encrypted_password text not null,
  user_metadata jsonb not null default '{}',
  created_at timestamptz not null default now()
);

-- A wish for a mail with a link. The outbox names it; the link itself is minted when the mail is sent.
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
