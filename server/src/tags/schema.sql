-- Windshield tags, and what people without an account leave with them (decision windshield-tag).

-- A vehicle has one tag; a new one takes the place of the old, which is then as unknown as one that never was.
create table tags (
  id uuid primary key,
  vehicle_id uuid not null unique references vehicles on delete cascade,
  -- keyed hashes: whoever reads the database finds neither the address of a tag nor its digits
  token_hash bytea not null unique,
  digits_hash bytea not null unique,
  -- for the owner, to print it again
  token_encrypted bytea not null,
  created_at timestamptz not null default now()
);
create trigger tags_deletions after delete on tags
  referencing old table as gone for each statement execute function record_deletions();

-- What a guest holds of a message they left: the hash of a secret that only their browser has.
create table receipts (
  id uuid primary key,
  message_id uuid not null unique references messages on delete cascade,
  receipt_hash bytea not null unique,
  language text not null check (language in ('en', 'fr', 'zh', 'yue', 'pa', 'es', 'ar', 'tl', 'it', 'pt')),
  created_at timestamptz not null default now()
);
create index receipts_created_at on receipts (created_at);

-- The device of a guest that is told when the owner answers (decision windshield-tag): once, and then it is forgotten.
create table receipt_pushes (
  id uuid primary key,
  receipt_id uuid not null unique references receipts on delete cascade,
  endpoint text not null check (length(endpoint) <= 1000),
  p256dh text not null,
  auth text not null,
  -- the receipt itself, which the notification opens
  receipt_encrypted bytea not null,
  tries integer not null default 0,
  next_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create index receipt_pushes_next_at on receipt_pushes (next_at);
