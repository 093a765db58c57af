-- What was deleted and must not come back with a backup (decision backup-and-restore). The worker copies these rows into the store of
-- photos, which outlives the database; a restore deletes again what they name. Ids only: nothing here is about a person.
create table deletions (
  table_name text not null,
  row_id uuid not null,
  deleted_at timestamptz not null default now(),
  -- whether it stands in the file of its day
  is_copied boolean not null default false,
  -- the row is back; this one goes with the next copy, which takes it out of that file
  is_undone boolean not null default false,
  primary key (row_id, table_name)
);
create index deletions_deleted_at on deletions (deleted_at);
create index deletions_to_copy on deletions (deleted_at) where not is_copied;

-- On every table from which people take something away, or have it taken away. Rows that only name others (a message's
-- notification) go with theirs.
create function record_deletions() returns trigger language plpgsql as $$
begin
  insert into deletions (table_name, row_id) select tg_table_schema || '.' || tg_table_name, id from gone
  on conflict (row_id, table_name) do update set is_undone = false, is_copied = false where deletions.is_undone;
  return null;
end $$;
