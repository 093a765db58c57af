-- What people write on the contact page is answered from the mailbox of the support address. A submission is there until its
-- email has been delivered; one that was given up stays, to be sent again, until the note of the email is purged.
drop table contact_answers;
delete from outbox where kind in ('contact_answer', 'opening_list');
delete from contact_submissions s where not exists (
  select from outbox o where o.ref_id = s.id and o.kind = 'contact' and o.sent_at is null);
alter table contact_submissions drop column closed_at; -- with the indexes of both lists
drop index contact_submissions_created_at;
-- `repeat_hash` is what 0.2.0 detects a duplicate by, beside which processes of this release may run
alter table outbox drop constraint only_some_mails_have_no_account;
alter table outbox add constraint only_some_mails_have_no_account
  check (recipient_id is not null or kind in ('contact', 'email_change_new', 'email_changed'));
