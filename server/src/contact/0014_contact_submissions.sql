-- Submissions of the contact page, stored for 12 months. Who wrote one is known only by what they typed: it may be a visitor
-- without an account, or somebody who gives another person's address.
create table contact_submissions (
  -- also the ref of its mail
  id uuid primary key,
  name_encrypted bytea not null,
  email_encrypted bytea not null,
  subject text not null,
  message_encrypted bytea not null,
  -- of the page it was written on
  locale text not null check (locale in ('en', 'fr-CA')),
  created_at timestamptz not null default now(),
  -- A second press of the same button, or a new try after a lost response, is the same submission: a keyed hash of the
  -- sender and the content, for ten minutes (a cleanup job clears it later). Unique: of two at one moment one is stored.
  repeat_hash bytea
);
create index contact_submissions_created_at on contact_submissions (created_at);
create unique index contact_submissions_repeat_hash on contact_submissions (repeat_hash) where repeat_hash is not null;
