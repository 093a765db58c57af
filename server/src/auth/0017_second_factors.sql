-- Second factors (decision 0083): an authenticator app (TOTP, RFC 6238) or a passkey (WebAuthn). One is `verified` once it
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
  constraint apps_have_a_secret check ((factor_type = 'totp') = (secret_encrypted is not null)),
  constraint used_passkeys_have_a_key
    check (factor_type = 'totp' or (verified_at is null) = (public_key is null) and (public_key is null) = (credential_id is null))
);
create index factors_user_id on auth.factors (user_id);

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

-- The factor a session was last verified with, and when. Null: never (aal1). A session loses it with the factor.
alter table auth.sessions
  add column factor_id uuid references auth.factors on delete set null,
  add column factor_verified_at timestamptz;
create index sessions_factor_id on auth.sessions (factor_id) where factor_id is not null;

-- The latest request in an admin's session, to the minute: it ends after half an hour without one. Apart from the sessions,
-- whose rows are not to be written again for every request.
create table auth.session_uses (
  session_id uuid primary key references auth.sessions on delete cascade,
  used_at timestamptz not null
);
