-- Images (decision 0057). The file is encrypted and has a random name.
create table attachments (
  id uuid primary key,
  -- the user who may send it; null once the account is deleted, while the message keeps its image
  uploader_id uuid references auth.users on delete set null,
  -- 32 random bytes in base64url; the file is <name>.webp
  name text not null unique check (name ~ '^[A-Za-z0-9_-]{43}$'),
  -- the key envelope of the file (see encryption/)
  key_envelope bytea not null,
  size integer not null check (size > 0),
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  created_at timestamptz not null default now()
);
create index attachments_uploader_id on attachments (uploader_id);
create index attachments_created_at on attachments (created_at);

-- Files whose row was deleted. A trigger records them, so that no way of deleting a row can forget its file.
create table attachment_files_to_delete (
  name text primary key,
  created_at timestamptz not null default now()
);

create function remember_attachment_file() returns trigger language plpgsql as $$
begin
  insert into attachment_files_to_delete (name) values (old.name) on conflict do nothing;
  return null;
end $$;

create trigger attachments_remember_file after delete on attachments
  for each row execute function remember_attachment_file();
