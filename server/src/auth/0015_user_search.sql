-- The list of accounts for admins: found by a piece of the address or of the full name (requirements §2).
alter table auth.users add column full_name_folded text
  generated always as (search_fold(user_metadata ->> 'full_name')) stored;

-- Written at once (fastupdate off): a list of what is not sorted in yet would be read by every search. The planner needs no
-- statistics on the pieces: the statements do not leave it a choice, and they would be most of what ANALYZE does.
create index users_email_parts on auth.users using gin (search_parts(lower(email))) with (fastupdate = off);
create index users_full_name_parts on auth.users using gin (search_parts(full_name_folded)) with (fastupdate = off);
alter index auth.users_email_parts alter column 1 set statistics 0;
alter index auth.users_full_name_parts alter column 1 set statistics 0;

-- Room on each page: a sign-in writes the account's row anew, and with it beside the old one none of its indexes.
alter table auth.users set (fillfactor = 80);
