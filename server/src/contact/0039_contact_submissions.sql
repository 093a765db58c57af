-- What was written on the contact page, kept for 12 months. Who wrote it is known by what they typed only: it may be
-- a visitor without an account, or somebody who names another person's address.
create table contact_submissions (
  -- also the ref of its mail
  id uuid primary key,
  name_sealed bytea not null,
  email_sealed bytea not null,
  subject text not null,
  message_sealed bytea not null,
  -- of the page it was written on
  locale text not null check (locale in ('en', 'fr-CA')),
  created_at timestamptz not null default now()
);
create index contact_submissions_created_at on contact_submissions (created_at);
