-- The device of a guest that is told when the owner answers (decision 0096): once, and then it is forgotten.
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
