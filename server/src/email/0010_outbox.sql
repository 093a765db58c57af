-- Emails to send (decision 0073): references only, no text and no token. The transaction that causes an email adds it.
create table outbox (
  -- also the Message-ID
  id uuid primary key,
  kind text not null,
  -- what the email is about: a message, a link request, a vehicle …, depending on its kind
  ref_id uuid not null,
  -- pending emails are deleted with their account; null: the support address, which is no account
  recipient_id uuid references auth.users on delete cascade,
  -- what cannot be read from a row when the email is written, for example the plate of a deleted vehicle
  data jsonb not null default '{}',
  attempts integer not null default 0,
  run_at timestamptz not null default now(),
  -- the lease of a worker until run_at; an outcome recorded with another token changes nothing
  lease_token uuid,
  sent_at timestamptz,
  failed_at timestamptz,
  -- the reason, never the server's own text, which may quote the email
  last_error text,
  created_at timestamptz not null default now(),
  -- one email of a kind, about a subject, to a user; also finds the emails about a subject
  unique (ref_id, kind, recipient_id),
  constraint ended_once check (sent_at is null or failed_at is null),
  constraint only_contact_mails_have_no_account check (recipient_id is not null or kind = 'contact')
);
-- nulls are never equal to the unique constraint above
create unique index outbox_without_account on outbox (ref_id, kind) where recipient_id is null;
-- Emails that are due, in two queues: retries have their own, so that a backlog of them never delays a fresh email. Those
-- about messages are apart, because they are not leased row by row.
create index outbox_fresh on outbox (run_at)
  where attempts = 0 and sent_at is null and failed_at is null and kind <> 'message';
create index outbox_retries on outbox (run_at)
  where attempts > 0 and sent_at is null and failed_at is null and kind <> 'message';
create index outbox_fresh_messages on outbox (run_at)
  where attempts = 0 and sent_at is null and failed_at is null and kind = 'message';
create index outbox_retried_messages on outbox (run_at)
  where attempts > 0 and sent_at is null and failed_at is null and kind = 'message';
-- The emails that wait for one owner, however many were sent before.
create index outbox_waiting_messages on outbox (recipient_id, id)
  where kind = 'message' and sent_at is null and failed_at is null;
create index outbox_recipient_id on outbox (recipient_id);
-- The emails to purge. Those about messages stay with their message, and would otherwise be read again and again.
create index outbox_ended on outbox (created_at)
  where (sent_at is not null or failed_at is not null) and kind <> 'message';

-- Emails about messages, one owner at a time: the first is sent at once, those of the next minutes share one. The row is
-- the recipient lock: the worker that has its lease has all waiting emails about messages to this owner.
create table digests (
  recipient_id uuid primary key references auth.users on delete cascade,
  -- no email about a message is sent before: the pause after an email, the delay of a retry, or the lease of a worker
  next_at timestamptz not null,
  -- since the last email that was sent or failed for good
  tries integer not null,
  lease_token uuid
);

-- Deletes emails about a message with it, pending ones too, so that nothing has to look for them afterwards.
create function delete_message_mails() returns trigger language plpgsql as $$
begin
  delete from outbox where id in (
    select o.id from outbox o join gone on o.ref_id = gone.id and o.kind in ('message', 'reply')
    order by o.id
    for update of o
  );
  return null;
end $$;
create trigger messages_delete_mails after delete on messages
  referencing old table as gone for each statement execute function delete_message_mails();

-- Emails captured without SMTP_URL, for /dev/mailbox; never in production (decision 0072). One is deleted with its row in
-- the outbox, and so with its account.
create table captured_mails (
  id uuid primary key,
  -- null: sent for other software, bypassing the outbox
  outbox_id uuid references outbox on delete cascade,
  "to" text not null,
  subject text not null,
  "text" text not null,
  html text not null,
  headers jsonb not null,
  sent_at timestamptz not null default now()
);
create index captured_mails_to on captured_mails ("to", sent_at desc);
create index captured_mails_sent_at on captured_mails (sent_at desc);
create index captured_mails_outbox_id on captured_mails (outbox_id);
