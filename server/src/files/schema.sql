-- Files of the store to delete, by their names there. A trigger on each table that names files records those whose row was
-- deleted, so that no way of deleting a row can forget its file; an upload may record its file before it is written, in case
-- it never ends.
create table files_to_delete (
  name text primary key,
  delete_after timestamptz not null default now()
);

-- Takes the column that has the file's name, and the ending it has in the store.
create function remember_file() returns trigger language plpgsql as $$
begin
  insert into files_to_delete (name) values ((to_jsonb(old) ->> tg_argv[0]) || tg_argv[1]) on conflict do nothing;
  return null;
end $$;
