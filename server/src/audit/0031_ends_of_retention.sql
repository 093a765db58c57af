-- What the retention of decision 0095 needs: the messages and the entries of the audit log whose period is over are found
-- by their times.
create index messages_inserted_at on messages (inserted_at);
create index audit_log_at on audit_log (at);

-- The audit log is append-only for 24 months. Only then, and only whole, may an entry go: until that day the database itself
-- refuses, whoever asks. Nothing changes for updates and for emptying the table.
drop trigger audit_log_append_only on audit_log;
create trigger audit_log_append_only before update on audit_log
  for each row execute function refuse_audit_change();
create trigger audit_log_kept before delete on audit_log
  for each row when (old.at > now() - interval '24 months') execute function refuse_audit_change();
