-- Open live streams learn at once that a session ended or an account's rights changed, whoever did it: a sign-out, a new
-- password, a deletion, a command on the server, or an operator by hand. A hint only: the stream asks who it is. These
-- transactions are rare, so the lock a NOTIFY holds until the commit costs nothing.
create function auth.hint_at_sessions() returns trigger language plpgsql as $$
declare
  whose uuid;
begin
  if tg_table_name = 'users' then whose := new.id; else whose := old.user_id; end if;
  -- as live/live-hub.ts reads it: said by none of the product's processes, and about sessions
  perform pg_notify('platenote_live', 'database !' || whose);
  return null;
end $$;

create trigger sessions_ended after delete on auth.sessions
  for each row execute function auth.hint_at_sessions();
create trigger users_rights_changed after update of banned_until, is_admin on auth.users
  for each row when (old.banned_until is distinct from new.banned_until or old.is_admin <> new.is_admin)
  execute function auth.hint_at_sessions();
