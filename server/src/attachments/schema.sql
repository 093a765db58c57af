-- Images (decision photos-and-files). The file is encrypted and has a random name.
create table attachments (
  id uuid primary key,
  -- the user who may send it; null once the account is deleted, while the message keeps its image
  uploader_id uuid references auth.users on delete set null,
  -- 32 random bytes in base64url; the file is <name>.webp
  name text not null unique check (name ~ '^[A-Za-z0-9_-]{43}$'),
  -- the key envelope of the file (see encryption/)
  key_envelope bytea not null,
  -- Who has the link of an image can see it, so that the database and the folder of the files must not contain it: the link is
  -- encrypted for the user who uploaded it until it is sent, and is then in the content of its message.
  link_encrypted bytea,
  size integer not null check (size > 0),
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  created_at timestamptz not null default now()
);
create index attachments_uploader_id on attachments (uploader_id);
create index attachments_unsent on attachments (created_at) where link_encrypted is not null;
create trigger attachments_remember_file after delete on attachments
  for each row execute function remember_file('name', '.webp');
create trigger attachments_deletions after delete on attachments
  referencing old table as gone for each statement execute function record_deletions();
