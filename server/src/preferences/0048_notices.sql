-- What was mailed to everybody with an account (npm run notice). The texts are the operator's own.
create table notices (
  id uuid primary key,
  -- SHA-256 of the file: the same file is the same notice, however often the command is run
  content_hash bytea not null unique,
  -- by language: subject, and the blocks of the email
  texts jsonb not null,
  created_at timestamptz not null default now(),
  -- every account up to this one has its email; they are queued in the order of their ids
  queued_to uuid,
  queued integer not null default 0,
  completed_at timestamptz
);

-- The text of messages and replies is in no email unless its recipient chose so (decision 0111). The stored 'true' was the
-- default, and nobody can be told apart who chose it; a 'false' was chosen, and stays.
alter table preferences alter column email_message_text set default false;
update preferences set email_message_text = false where email_message_text;
