-- Open disputes: one row for each challenger of a plate (requirements §4, decisions 0048 to 0051). A row ends with its dispute.
create table plate_disputes (
  id uuid primary key,
  province text not null,
  plate text not null,
  plate_key text not null,
  incumbent_vehicle_id uuid not null references vehicles on delete cascade,
  -- what the incumbent gets back when the challenge fails
  incumbent_status text not null check (incumbent_status in ('active', 'verified', 'approved')),
  -- at most one open challenge for each vehicle
  challenger_vehicle_id uuid not null unique references vehicles on delete cascade,
  documents_due_at timestamptz not null,
  documents_received_at timestamptz,
  created_at timestamptz not null default now(),
  constraint two_sides check (incumbent_vehicle_id <> challenger_vehicle_id)
);
create index plate_disputes_incumbent on plate_disputes (incumbent_vehicle_id);
create index plate_disputes_plate on plate_disputes (province, plate_key);
create index plate_disputes_due on plate_disputes (documents_due_at);

-- Remembers challenges after they ended, for the limit of decision 0051.
create table challenges_started (
  id uuid primary key,
  user_id uuid not null references auth.users on delete cascade,
  created_at timestamptz not null default now()
);
create index challenges_started_user_id on challenges_started (user_id, created_at);
