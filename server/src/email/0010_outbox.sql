-- Emails to send (decision 0073): references only, no text and no token. The transaction that causes an email writes its row.
create table outbox (
  -- also the Message-ID
  id uuid primary key,
  kind text not null,
  -- what the mail is about: a message, a link request, a vehicle …, as its kind says
  ref_id uuid not null,
  -- a deleted account takes its pending emails along; null: the support address, which is no account
  recipient_id uuid references auth.users on delete cascade,
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
  constraint ended_once check (sent_at is null or failed_at is null),
  constraint only_contact_mails_have_no_account check (recipient_id is not null or kind = 'contact')
);
-- nulls are never equal to the unique constraint above
create unique index outbox_without_account on outbox (ref_id, kind) where recipient_id is null;
-- What is due. Two queues: what was tried before has its own, so that a backlog of retries never delays a new email. Those
-- about messages are apart, because they are not leased row by row.
create index outbox_fresh on outbox (run_at)
  where attempts = 0 and sent_at is null and failed_at is null and kind <> 'message';
create index outbox_retries on outbox (run_at)
  where attempts > 0 and sent_at is null and failed_at is null and kind <> 'message';
create index outbox_fresh_messages on outbox (run_at)
  where attempts = 0 and sent_at is null and failed_at is null and kind = 'message';
create index outbox_retried_messages on outbox (run_at)
  where attempts > 0 and sent_at is null and failed_at is null and kind = 'message';
-- What waits for one owner, however much was sent before.
create index outbox_waiting_messages on outbox (recipient_id, id)
  where kind = 'message' and sent_at is null and failed_at is null;
create index outbox_recipient_id on outbox (recipient_id);
-- What is purged after a while. A message's own email stays with it, and is not looked at again and again.
create index outbox_ended on outbox (created_at)
  where (sent_at is not null or failed_at is not null) and kind <> 'message';

-- Emails about messages, one owner at a time: the first is sent immediately, those of the next minutes share one. The row
-- is the owner's lock: the worker that has its lease has all waiting emails about messages to this owner.
create table digests (
  recipient_id uuid primary key references auth.users on delete cascade,
  -- no email about a message is sent before: the pause after an email, the delay of a retry, or the lease of a worker
  next_at timestamptz not null,
  -- since the last email that was sent or failed for good
  tries integer not null,
  lease_token uuid
);

-- Emails about a message are deleted with it, pending ones too: nothing has to look for them afterwards.
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

-- Where emails go without SMTP_URL; read at /dev/mailbox, never in production (decision 0072). One goes with its row in the
-- outbox, and so with its account.
create table captured_mails (
  id uuid primary key,
  -- null: sent for other software, past the outbox
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
