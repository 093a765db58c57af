-- The end of a session is recorded as before (0018_account_events.sql), at most 30 times an hour for one account: whoever signs
-- in and out in a loop fills neither the list nor the table.
create or replace function auth.record_session_end() returns trigger language plpgsql as $$
begin
  insert into auth.events (user_id, type, session_id)
  select id, 'session_ended', old.id from auth.users
  where id = old.user_id and (
    select count(*) from auth.events e
    where e.user_id = old.user_id and e.type = 'session_ended' and e.at > now() - interval '1 hour'
  ) < 30;
  return null;
end $$;
