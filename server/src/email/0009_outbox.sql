-- Mails to send (decision 0073): references only, no text and no token. The transaction that causes a mail writes its row.
create table outbox (
  -- also the Message-ID
  id uuid primary key,
  kind text not null,
  -- what the mail is about: a message, a link request, a vehicle …, as its kind says
  ref_id uuid not null,
  -- an account that goes takes its pending mails along
  recipient_id uuid not null references auth.users on delete cascade,
  -- what has no row of its own to read when the mail is written, for example the plate of a deleted vehicle
  data jsonb not null default '{}',
  attempts integer not null default 0,
  run_at timestamptz not null default now(),
  -- the worker that holds the row until run_at; a late answer under another token changes nothing
  lease_token uuid,
  sent_at timestamptz,
  failed_at timestamptz,
  -- a word on why, never the server's text: it may quote the mail
  last_error text,
  created_at timestamptz not null default now(),
  -- one mail of a kind about a thing for a person; also finds the mails about a thing
  unique (ref_id, kind, recipient_id),
  constraint ended_once check (sent_at is null or failed_at is null)
);
-- Two queues: what was tried before has its own, so that a backlog of retries never stands before a fresh mail.
create index outbox_fresh on outbox (run_at) where attempts = 0 and sent_at is null and failed_at is null;
create index outbox_retries on outbox (run_at) where attempts > 0 and sent_at is null and failed_at is null;
create index outbox_recipient_id on outbox (recipient_id);
create index outbox_ended on outbox (created_at) where sent_at is not null or failed_at is not null;

-- Where mails go without SMTP_URL; read at /dev/mailbox, never in production (decision 0072).
create table kept_mails (
  id uuid primary key,
  outbox_id uuid,
  "to" text not null,
  subject text not null,
  "text" text not null,
  html text not null,
  headers jsonb not null,
  sent_at timestamptz not null default now()
);
create index kept_mails_to on kept_mails ("to", sent_at desc);
create index kept_mails_sent_at on kept_mails (sent_at desc);
