-- The kind of a reply that was one tap (decision 0091). Its text is then stored too, and may be the empty one.
alter table messages
  add column reply_answer text check (reply_answer in ('coming', 'in_5', 'in_15', 'not_my_car', 'thanks')),
  add constraint answers_are_replies check (reply_answer is null or reply_encrypted is not null);

-- Quiet hours (decision 0090), in local time. Whether they last is computed in quiet-hours.ts, which knows what a change to
-- summer time does to them.
alter table preferences
  add column quiet_from time,
  add column quiet_until time,
  add column time_zone text not null default 'America/Toronto' check (length(time_zone) <= 64),
  add constraint quiet_hours_begin_and_end check ((quiet_from is null) = (quiet_until is null)),
  add constraint quiet_hours_end check (quiet_from <> quiet_until);

-- An email that waited, or waits, for the end of its recipient's quiet hours; run_at says when that is.
alter table outbox add column held boolean not null default false;
create index outbox_held on outbox (recipient_id) where held and sent_at is null and failed_at is null;

-- A device in quiet hours: the notifications after this number were not pushed, except the urgent ones, and are due when
-- the hours end. Both are null when nothing is held.
alter table push_subscriptions
  add column held_after bigint,
  add column held_until timestamptz;

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

-- As before, except that the failure of an email that was held shows at a random moment of the day after: an hour after
-- the quiet hours it would tell the sender when they end (decision 0078).
create or replace function note_refused_email() returns trigger language plpgsql as $$
begin
  update messages
  set email_failed_at = now() + interval '10 minutes'
    + random() * case when new.held then interval '24 hours' else interval '50 minutes' end
  where id = new.ref_id and email_failed_at is null;
  return null;
end $$;
