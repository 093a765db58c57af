-- Who agreed to which version of the terms, when and in which language (decision terms-consent). Goes with the account.
create table consents (
  id uuid primary key,
  user_id uuid not null references auth.users on delete cascade,
  version text not null,
  locale text not null check (locale in ('en', 'fr-CA')),
  -- the statement about the age that belongs to it: without it there is no consent
  age_ok boolean not null check (age_ok),
  given_at timestamptz not null default now(),
  unique (user_id, version)
);
create index consents_user_id on consents (user_id, given_at desc);
