-- Sign-ups of one address wait side by side, each with its own link (decision 0075).
alter table auth.sign_ups
  drop constraint sign_ups_user_id_key,
  -- sha256 of a secret that only the browser has which signed up; null when the client sent none
  add column proof_hash bytea,
  -- the session of the link that confirmed the address: for some minutes it may still choose this sign-up's password
  add column session_id uuid references auth.sessions on delete cascade;
create index sign_ups_user_id on auth.sign_ups (user_id, created_at desc);
create index sign_ups_session_id on auth.sign_ups (session_id) where session_id is not null;

-- A link that was asked for again while several sign-ups wait belongs to none of them.
alter table auth.link_requests
  drop constraint sign_ups_have_one,
  add constraint sign_ups_have_links_of_their_own check (purpose = 'signup' or sign_up_id is null);
