-- What admins did (decision schema-and-migrations), and what they looked up (decision second-factor): who, what, when, why. Rows outlive
-- everybody they name, so nothing refers to an account, and an address of a user is stored with most of its letters hidden.
create table audit_log (
  id uuid primary key,
  at timestamptz not null default now(),
  -- null: the product itself, or the command on the server
  actor_id uuid,
  actor_email text,
  action text not null,
  subject text not null,
  subject_id uuid not null,
  -- encrypted like everything people write (decision encryption-at-rest)
  reason_encrypted bytea
);
create index audit_log_subject on audit_log (subject_id, id desc);
create index audit_log_actor on audit_log (actor_id, id desc) where actor_id is not null;
create index audit_log_at on audit_log (at);

-- Append-only for everybody, the product included. Encrypting a reason again under another key is the only change allowed, and
-- an entry may go after 24 months (decision retention-and-deletion), only then and only whole.
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.reason_encrypted is not null and old.reason_encrypted is not null
    and to_jsonb(new) - 'reason_encrypted' = to_jsonb(old) - 'reason_encrypted' then
    return new;
  end if;
  if tg_op = 'DELETE' and old.at <= now() - interval '24 months' then return old; end if;
  raise exception 'the audit log is append-only' using errcode = 'restrict_violation';
end $$;
create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function refuse_audit_change();
create trigger audit_log_never_emptied before truncate on audit_log
  for each statement execute function refuse_audit_change();
