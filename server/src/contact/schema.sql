-- What people write on the contact page, until its email has been delivered. One that was given up stays, to be sent again, until
-- the note of the email is purged. Who wrote it is known only by what they typed: it may be a visitor without an account, or
-- somebody who gives another person's address.
create table contact_submissions (
  -- also the ref of its mail
  id uuid primary key,
  name_encrypted bytea not null,
  email_encrypted bytea not null,
  subject text not null,
  message_encrypted bytea not null,
  -- of the page it was written on
  locale text not null check (locale in ('en', 'fr-CA')),
  created_at timestamptz not null default now()
);
create trigger contact_submissions_deletions after delete on contact_submissions
  referencing old table as gone for each statement execute function record_deletions();
