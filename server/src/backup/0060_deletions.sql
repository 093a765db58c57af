-- What was deleted and must not come back with a backup (decision 0105). The worker copies these rows into the store of photos,
-- which outlives the database; a restore deletes again what they name. Ids only: nothing here is about a person.
create table deletions (
  table_name text not null,
  row_id uuid not null,
  deleted_at timestamptz not null default now(),
  -- whether it stands in the file of its day
  is_copied boolean not null default false,
  primary key (row_id, table_name)
);
create index deletions_deleted_at on deletions (deleted_at);
create index deletions_to_copy on deletions (deleted_at) where not is_copied;

create function record_deletions() returns trigger language plpgsql as $$
begin
  insert into deletions (table_name, row_id) select tg_table_schema || '.' || tg_table_name, id from gone
  on conflict do nothing;
  return null;
end $$;

-- What people take away themselves, or have taken away: rows that only name others (a message's notification) go with theirs.
create trigger users_deletions after delete on auth.users
  referencing old table as gone for each statement execute function record_deletions();
create trigger factors_deletions after delete on auth.factors
  referencing old table as gone for each statement execute function record_deletions();
create trigger vehicles_deletions after delete on vehicles
  referencing old table as gone for each statement execute function record_deletions();
create trigger vehicle_drivers_deletions after delete on vehicle_drivers
  referencing old table as gone for each statement execute function record_deletions();
create trigger vehicle_invitations_deletions after delete on vehicle_invitations
  referencing old table as gone for each statement execute function record_deletions();
create trigger tags_deletions after delete on tags
  referencing old table as gone for each statement execute function record_deletions();
create trigger messages_deletions after delete on messages
  referencing old table as gone for each statement execute function record_deletions();
create trigger notes_deletions after delete on notes
  referencing old table as gone for each statement execute function record_deletions();
create trigger attachments_deletions after delete on attachments
  referencing old table as gone for each statement execute function record_deletions();
create trigger dispute_documents_deletions after delete on dispute_documents
  referencing old table as gone for each statement execute function record_deletions();
create trigger blocks_deletions after delete on blocks
  referencing old table as gone for each statement execute function record_deletions();
create trigger contact_submissions_deletions after delete on contact_submissions
  referencing old table as gone for each statement execute function record_deletions();
