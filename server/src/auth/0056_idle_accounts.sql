-- Accounts that nobody uses end (decision 0116). Here is when each was last used, to the day: apart from auth.users, so that
-- noting it writes a small row, at most once a day and account.
create table auth.account_uses (
  user_id uuid primary key references auth.users on delete cascade,
  used_at timestamptz not null default now(),
  -- the subject of the newest warning in the outbox, and when it was queued
  warning_id uuid,
  warning_queued_at timestamptz,
  -- when that warning left; null: not yet, or it was refused
  warned_at timestamptz,
  constraint warned_by_a_warning check ((warning_id is null) = (warning_queued_at is null) and (warned_at is null or warning_id is not null))
) with (fillfactor = 80);
-- the longest unused first
create index account_uses_used_at on auth.account_uses (used_at);

-- The last round of the job, and since when there was one at least every few hours. A longer gap is a server that was off, a
-- backup that was restored or a clock that jumped: what was used meanwhile may be unknown, so earlier warnings no longer count.
create table auth.idle_watch (
  only_row boolean primary key default true check (only_row),
  seen_at timestamptz not null,
  since timestamptz not null
);

insert into auth.account_uses (user_id, used_at)
select u.id, greatest(u.created_at, u.email_confirmed_at, u.last_sign_in_at, max(s.refreshed_at))
from auth.users u left join auth.sessions s on s.user_id = u.id and s.link_request_id is null
group by u.id;

create function auth.begin_account_use() returns trigger language plpgsql as $$
begin
  insert into auth.account_uses (user_id) values (new.id);
  return null;
end $$;
create trigger users_begin_use after insert on auth.users for each row execute function auth.begin_account_use();

-- An access token lasts an hour, so that whoever uses a session renews it: nothing has to be written for a request.
create function auth.note_account_use() returns trigger language plpgsql as $$
begin
  update auth.account_uses set used_at = now() where user_id = new.user_id and used_at < now() - interval '1 day';
  return null;
end $$;
-- one from a link is no use before somebody uses it: mail scanners open links too
create trigger sessions_note_use after insert or update of refreshed_at, link_request_id on auth.sessions
  for each row when (new.link_request_id is null) execute function auth.note_account_use();
-- ending emails about messages by the link in one of them is a use without a session
create trigger preferences_note_use after insert or update of email_messages on preferences
  for each row execute function auth.note_account_use();
