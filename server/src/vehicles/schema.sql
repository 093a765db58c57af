-- Whether messages can be sent to a vehicle of this status; `receiveMessage` of contract/src/vehicles.ts, which a test compares.
create function is_live(status text) returns boolean language sql immutable parallel safe as $$
  select status in ('active', 'verified')
$$;

-- Whether senders reach a vehicle. Who has a plate is decided by `is_live` alone, so that pausing never gives one away.
create function is_reachable(status text, paused boolean) returns boolean language sql immutable parallel safe as $$
  select is_live(status) and not paused
$$;

-- How a plate reads on metal, where O and 0, and I and 1, are one shape; `foldPlate` of contract/src/plates.ts, which a test compares.
create function plate_fold(plate_key text) returns text language sql immutable strict parallel safe as $$
  select translate(plate_key, 'OI', '01')
$$;

-- Vehicles (requirements §3). A vehicle is identified by province and canonical plate (decision plate-identity).
create table vehicles (
  id uuid primary key,
  user_id uuid not null references auth.users on delete cascade,
  plate text not null check (plate ~ '^[A-Z0-9-]{1,8}$'),
  -- the plate without hyphens: what everything is matched by
  plate_key text not null generated always as (replace(plate, '-', '')) stored check (plate_key <> ''),
  make text not null,
  model text not null,
  registration_year integer not null check (registration_year >= 1980),
  province text not null check (province in (
    'Alberta', 'British Columbia', 'Manitoba', 'New Brunswick', 'Newfoundland and Labrador', 'Nova Scotia', 'Ontario',
    'Prince Edward Island', 'Quebec', 'Saskatchewan')),
  status text not null check (status in ('pending_verification', 'active', 'verified', 'approved', 'rejected')),
  -- by its owner (decision quiet-hours). It keeps its status, its plate and its side in a dispute: only senders find it as one that is
  -- not active yet.
  paused boolean not null default false,
  created_at timestamptz not null default now(),
  -- when it last kept its plate against a challenge that was withdrawn, rejected or overdue (decision plate-disputes)
  challenge_survived_at timestamptz,
  -- why an admin, or the due date, rejected a vehicle; encrypted like everything people write (decision encryption-at-rest). Its owner
  -- reads it in the email. It goes with the rejection.
  reject_reason_encrypted bytea,
  constraint reasons_of_rejected_ones check (reject_reason_encrypted is null or status = 'rejected')
);
-- A plate never has two live vehicles (decision plate-disputes).
create unique index vehicles_live_plate on vehicles (province, plate_key) where is_live(status);
-- Nobody registers one plate twice; a rejected registration may be tried again.
create unique index vehicles_own_plate on vehicles (user_id, province, plate_key) where status <> 'rejected';
-- Finds the vehicles of a plate while sending and registering.
create index vehicles_plate_key on vehicles (plate_key, province);
-- Serves the owner's list, newest first: ids are UUIDv7 and sort by time.
create index vehicles_user_id on vehicles (user_id, id desc);
-- The admins' list (requirements §2): newest first within a province, a status or both, and by a part of the plate.
create index vehicles_province on vehicles (province, id desc);
create index vehicles_status on vehicles (status, id desc);
create index vehicles_province_status on vehicles (province, status, id desc);
create index vehicles_plate_trigrams on vehicles using gin (plate_fold(plate_key) gin_trgm_ops) with (fastupdate = off);
-- Finds the plates that read alike, where a sender's is not there as it was typed.
create index vehicles_plate_fold on vehicles (plate_fold(plate_key), province) where status <> 'rejected';
create trigger vehicles_deletions after delete on vehicles
  referencing old table as gone for each statement execute function record_deletions();

-- The plate a sender means (decision plate-identity) where nobody has the one that was typed, in the province if there is one: the only
-- plate that reads the same. Returns nothing where there are several.
create function look_alike(typed text, wanted text) returns table (plate_key text, province text) language sql stable rows 1 as $$
  select min(v.plate_key), min(v.province)
  from vehicles v
  where plate_fold(v.plate_key) = plate_fold(typed) and (wanted is null or v.province = wanted) and v.status <> 'rejected'
    and not exists (select from vehicles x where x.plate_key = typed and (wanted is null or x.province = wanted))
  having min(v.plate_key) = max(v.plate_key) and min(v.province) = max(v.province)
$$;
