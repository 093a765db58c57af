-- The list of open disputes for admins, the earliest due date first; equal dates by age.
drop index plate_disputes_due;
create index plate_disputes_due on plate_disputes (documents_due_at, id);
