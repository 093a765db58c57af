-- How many times a session was refreshed, and of which refresh the client has shown that its response arrived: an access
-- token carries its generation, and the first request with it sets received_generation. For sessions of the release before,
-- whose tokens carry none, -1: nothing has been shown.
alter table auth.sessions
  add column generation integer not null default 0,
  add column received_generation integer not null default -1;

-- The list of a person's sessions, and the cap on them: the longest unused ends.
create index sessions_by_last_use on auth.sessions (user_id, refreshed_at desc, id desc);
-- the index above begins with the same column
drop index auth.sessions_user_id;
