-- The emails that wait for one owner. As `outbox_waiting_messages`, but of no use to the workers, who ask for what is due of all
-- owners: while nothing waits the planner expects nothing to, and would rather read all of the index than the due part of another
-- one. It kept to that plan when thousands waited, at every look of every worker.
create index if not exists outbox_waiting_of_recipient on outbox (recipient_id, id)
  where kind = 'message' and recipient_id is not null and sent_at is null and failed_at is null;
drop index outbox_waiting_messages;
