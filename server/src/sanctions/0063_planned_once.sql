-- The same questions as before (0027, 0035), in functions whose statements are planned once for each connection. Those in the
-- language SQL that read a table are planned again whenever a statement calls them, and one that another calls at each call:
-- that took most of the time of a send.

create or replace function is_sanctioned(person bytea, sanction text) returns boolean language plpgsql stable parallel safe as $$
begin
  return exists (
    select from subjects p join sanctions s on s.subject_id = p.id
    where p.person_hash = person and s.kind = sanction and s.lifted_at is null and (s.ends_at is null or s.ends_at > now()));
end $$;

create or replace function is_account_sanctioned(account_id uuid, sanction text) returns boolean
language plpgsql stable parallel safe as $$
begin
  return exists (select from auth.users u where u.id = account_id and is_sanctioned(u.person_hash, sanction));
end $$;
