create table preferences (
  user_id uuid primary key references auth.users on delete cascade,
  locale text not null default 'en' check (locale in ('en', 'fr-CA')),
  email_messages boolean not null default true,
  -- whether emails show the texts of messages (decision message-emails), and whether push notifications do
  email_message_text boolean not null default true,
  push_message_text boolean not null default false,
  -- whether emails have links that answer without signing in (decision answer-links)
  email_answers boolean not null default true,
  -- Quiet hours (decision quiet-hours), in local time. Whether they last is computed in quiet-hours.ts, which knows what a change to
  -- summer time does to them.
  quiet_from time,
  quiet_until time,
  time_zone text not null default 'America/Toronto' check (length(time_zone) <= 64),
  constraint quiet_hours_begin_and_end check ((quiet_from is null) = (quiet_until is null)),
  constraint quiet_hours_end check (quiet_from <> quiet_until)
);

-- Has what is held looked at again when a person changes their quiet hours.
create function release_held() returns trigger language plpgsql as $$
begin
  update outbox set run_at = now()
  where recipient_id = new.user_id and held and sent_at is null and failed_at is null and lease_token is null;
  update push_subscriptions set held_until = now() where user_id = new.user_id and held_after is not null;
  return null;
end $$;
create trigger preferences_release_held after update on preferences
  for each row when ((new.quiet_from, new.quiet_until, new.time_zone)
    is distinct from (old.quiet_from, old.quiet_until, old.time_zone))
  execute function release_held();
