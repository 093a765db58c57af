-- People of a vehicle (decision vehicle-people). Its owner is vehicles.user_id; drivers stand here. A former driver leaves
-- no row: what hangs on this one goes with it.
create table vehicle_drivers (
  -- names the person within the vehicle, so that nobody learns the id of an account
  id uuid primary key,
  vehicle_id uuid not null references vehicles on delete cascade,
  user_id uuid not null references auth.users on delete cascade,
  joined_at timestamptz not null default now(),
  unique (vehicle_id, user_id)
);
create index vehicle_drivers_user_id on vehicle_drivers (user_id);
create trigger vehicle_drivers_deletions after delete on vehicle_drivers
  referencing old table as gone for each statement execute function record_deletions();

-- Invitations that can still be used, by keyed hashes: neither a code nor an address is stored.
create table vehicle_invitations (
  id uuid primary key,
  vehicle_id uuid not null references vehicles on delete cascade,
  code_hash bytea not null unique,
  -- a hash of the address it is for together with the id, so that no two invitations can be told to be for one address;
  -- null: a code, for whoever stands beside the owner
  invitee_hash bytea,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index vehicle_invitations_vehicle_id on vehicle_invitations (vehicle_id, id desc);
create index vehicle_invitations_expires_at on vehicle_invitations (expires_at);
create trigger vehicle_invitations_deletions after delete on vehicle_invitations
  referencing old table as gone for each statement execute function record_deletions();
