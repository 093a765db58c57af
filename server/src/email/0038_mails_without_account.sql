-- What people write on the contact page goes to the support address, which is no account.
alter table outbox
  alter column recipient_id drop not null,
  add constraint only_contact_mails_have_no_account check (recipient_id is not null or kind = 'contact');
-- nulls are never equal to the unique constraint above
create unique index outbox_without_account on outbox (ref_id, kind) where recipient_id is null;

-- Mails other software has sent go at once, past the outbox (development keeps them too).
alter table kept_mails alter column outbox_id drop not null;
