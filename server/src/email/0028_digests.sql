-- Mails about messages, one owner at a time: the first leaves at once, what comes within the next minutes shares one. The
-- row is the owner's turn; whoever holds its lease holds all mails about messages that wait for this owner.
create table digests (
  recipient_id uuid primary key references auth.users on delete cascade,
  -- before then no mail about a message leaves: the pause after a mail, the delay of a retry, or the lease of a worker
  next_at timestamptz not null,
  -- since the last mail that ended well or for good
  tries integer not null,
  lease_token uuid
);

-- What is due, tried or not; messages apart, because theirs is not claimed row by row.
drop index outbox_fresh, outbox_retries;
create index outbox_fresh on outbox (run_at)
  where attempts = 0 and sent_at is null and failed_at is null and kind <> 'message';
create index outbox_retries on outbox (run_at)
  where attempts > 0 and sent_at is null and failed_at is null and kind <> 'message';
create index outbox_fresh_messages on outbox (run_at)
  where attempts = 0 and sent_at is null and failed_at is null and kind = 'message';
create index outbox_retried_messages on outbox (run_at)
  where attempts > 0 and sent_at is null and failed_at is null and kind = 'message';

-- Serves what waits for one owner, however much was sent before.
create index outbox_waiting_messages on outbox (recipient_id, id)
  where kind = 'message' and sent_at is null and failed_at is null;

-- Mails about a message go with the message, pending ones too: nothing has to look for them afterwards.
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
delete from outbox o where o.kind in ('message', 'reply') and not exists (select from messages m where m.id = o.ref_id);

-- What is purged after a while. A message's own mail stays with it, and is not looked at again and again.
drop index outbox_ended;
create index outbox_ended on outbox (created_at)
  where (sent_at is not null or failed_at is not null) and kind <> 'message';
