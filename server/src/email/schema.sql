-- Emails to send (decision email-outbox): references only, no text and no token. The transaction that causes an email adds it.
create table outbox (
  -- also the Message-ID
  id uuid primary key,
  kind text not null,
  -- what the email is about: a message, a link request, a vehicle …, depending on its kind
  ref_id uuid not null,
  -- pending emails are deleted with their account; null: an address that is no account's
  recipient_id uuid references auth.users on delete cascade,
  -- what cannot be read from a row when the email is written, for example the plate of a deleted vehicle
  data jsonb not null default '{}',
  attempts integer not null default 0,
  run_at timestamptz not null default now(),
  -- since when one that was tried is due: one that is put off on purpose (the pause after an email, quiet hours) is not late
  due_since timestamptz,
  -- whether it waited, or waits, for the end of its recipient's quiet hours; run_at says when that is
  held boolean not null default false,
  -- the lease of a worker until run_at; an outcome recorded with another token changes nothing
  lease_token uuid,
  sent_at timestamptz,
  failed_at timestamptz,
  -- the reason, never the server's own text, which may quote the email
  last_error text,
  -- why it came back after the mail server had accepted it (decision returned-emails)
  return_reason text,
  created_at timestamptz not null default now(),
  -- one email of a kind, about a subject, to a user; also finds the emails about a subject
  unique (ref_id, kind, recipient_id),
  constraint ended_once check (sent_at is null or failed_at is null),
  constraint returned_after_it_left check (return_reason is null or sent_at is not null),
  constraint only_some_mails_have_no_account check (
    recipient_id is not null or kind in ('contact', 'email_change_new', 'email_changed'))
);
-- nulls are never equal to the unique constraint above
create unique index outbox_without_account on outbox (ref_id, kind) where recipient_id is null;
create index outbox_recipient_id on outbox (recipient_id);
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
-- The emails that wait for one owner. Of no use to the workers, who ask for what is due of all owners ("recipient_id is not
-- null" says so): while nothing waits the planner expects nothing to, and would rather read all of this index than the due part
-- of another one. It kept to that plan when thousands waited, at every look of every worker.
create index outbox_waiting_of_recipient on outbox (recipient_id, id)
  where kind = 'message' and recipient_id is not null and sent_at is null and failed_at is null;
create index outbox_held on outbox (recipient_id) where held and sent_at is null and failed_at is null;
create index outbox_tried on outbox (due_since)
  where due_since is not null and sent_at is null and failed_at is null;
-- the list of those that were given up, and the purge of those that ended
create index outbox_failed on outbox (id desc) where failed_at is not null;
create index outbox_ended on outbox (created_at) where sent_at is not null or failed_at is not null;

-- Shows the sender of a message that its email was refused for good or came back, and takes that back when it is tried again. One
-- dead address fails the emails about all messages to its owner at once: each sender sees it at a time of its own, so that the moment
-- does not tell which messages have one recipient. Of an email that was held, or came back late, it is a moment of the day after: an
-- hour after the quiet hours it would tell the sender when they end (decision mutual-anonymity).
create function show_lost_email() returns trigger language plpgsql as $$
declare
  is_lost constant boolean := new.failed_at is not null or new.return_reason is not null;
  is_told_later constant boolean := new.held or coalesce(new.sent_at < now() - interval '1 hour', false);
begin
  update messages set email_failed_at = case when is_lost then now() + interval '10 minutes'
    + random() * case when is_told_later then interval '24 hours' else interval '50 minutes' end end
  -- what becomes of an email to a driver is nothing to the sender
  where id = new.ref_id and (email_failed_at is null) = is_lost
    and exists (select from vehicles v where v.id = vehicle_id and v.user_id = new.recipient_id);
  return null;
end $$;
create trigger outbox_show_lost after update of failed_at, return_reason on outbox
  for each row when (new.kind = 'message' and
    (old.failed_at is null and old.return_reason is null) <> (new.failed_at is null and new.return_reason is null))
  execute function show_lost_email();

-- The accounts to whose address emails come back: most are not sent for a week, and it ends when one arrives or the address is another one.
create table unreachable_addresses (
  user_id uuid primary key references auth.users on delete cascade,
  reason text not null,
  -- when the last one came back
  since timestamptz not null default now()
);

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

-- Emails captured without SMTP_URL, for /dev/mailbox; never in production (decision settings-and-commands). One is deleted with its row in
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
