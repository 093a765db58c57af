-- Admins read, answer and close what people wrote on the contact page (decision 0087).
alter table contact_submissions add column closed_at timestamptz;
-- until now the team answered from its mailbox: none of these waits for anybody here
update contact_submissions set closed_at = now();
create index contact_submissions_open on contact_submissions (id) where closed_at is null;
create index contact_submissions_closed on contact_submissions (id desc) where closed_at is not null;

create table contact_answers (
  -- also the ref of its mail
  id uuid primary key,
  submission_id uuid not null references contact_submissions on delete cascade,
  text_encrypted bytea not null,
  -- a second press of the same button is the same answer: a keyed hash of the text
  text_hash bytea not null,
  created_at timestamptz not null default now(),
  unique (submission_id, text_hash)
);

-- An answer goes to the address somebody typed, and the list of openings (decision 0087) to the privacy officer's.
alter table outbox drop constraint only_contact_mails_have_no_account;
alter table outbox add constraint only_some_mails_have_no_account
  check (recipient_id is not null or kind in ('contact', 'contact_answer', 'opening_list'));
