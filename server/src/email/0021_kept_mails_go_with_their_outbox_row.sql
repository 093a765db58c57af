-- A kept mail goes with its row in the outbox, and so with the account it was for; one that was just being written when
-- the account went is not kept.
delete from kept_mails k where not exists (select from outbox o where o.id = k.outbox_id);
alter table kept_mails
  alter column outbox_id set not null,
  add constraint kept_mails_outbox_id_fkey foreign key (outbox_id) references outbox on delete cascade;
create index kept_mails_outbox_id on kept_mails (outbox_id);
