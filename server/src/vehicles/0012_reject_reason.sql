-- Why an admin, or the due date, rejected a vehicle. Sealed like everything people write (decision 0058); its
-- owner reads it in the mail. It goes with the rejection.
alter table vehicles
  add column reject_reason_sealed bytea,
  add constraint reasons_of_rejected_ones check (reject_reason_sealed is null or status = 'rejected');
