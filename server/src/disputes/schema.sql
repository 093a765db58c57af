-- Open disputes: one row for each challenger of a plate (requirements §4, decision plate-disputes). A row ends with its dispute.
create table plate_disputes (
  id uuid primary key,
  province text not null,
  plate text not null,
  plate_key text not null,
  incumbent_vehicle_id uuid not null references vehicles on delete cascade,
  -- what the incumbent gets back when the challenge fails
  incumbent_status text not null check (incumbent_status in ('active', 'verified', 'approved')),
  -- Whether the incumbent was a challenger itself, that took the side of one that left and waits since: its plate never worked,
  -- so that its owner does not read that it works again when the challenge is over (decision plate-disputes).
  incumbent_succeeded boolean not null default false,
  -- at most one open challenge for each vehicle
  challenger_vehicle_id uuid not null unique references vehicles on delete cascade,
  -- whose challenge it is: the keyed hash of a mailbox, of which one challenge may be open (decision plate-disputes)
  challenger_person bytea not null,
  -- whether the incumbent is paused by it; a challenge that does not pause waits for an admin while the incumbent stays live
  pauses boolean not null default true,
  documents_due_at timestamptz not null,
  -- when the challenger's documents arrived, and how that became known
  documents_received_at timestamptz,
  documents_received_by text check (documents_received_by in ('admin', 'upload', 'mail')),
  created_at timestamptz not null default now(),
  constraint arrivals_became_known check ((documents_received_at is null) = (documents_received_by is null)),
  constraint two_sides check (incumbent_vehicle_id <> challenger_vehicle_id)
);
create index plate_disputes_incumbent on plate_disputes (incumbent_vehicle_id);
create index plate_disputes_plate on plate_disputes (province, plate_key);
create index plate_disputes_challenger_person on plate_disputes (challenger_person);
-- The list of open disputes for admins, the earliest due date first; equal dates by age.
create index plate_disputes_due on plate_disputes (documents_due_at, id);

-- Remembers challenges after they ended, for the limit of decision plate-disputes. They outlive the account, under the hash of its
-- mailbox: deleting an account does not give the next one three more.
create table challenges_started (
  id uuid primary key,
  user_id uuid references auth.users on delete set null,
  person_hash bytea not null,
  created_at timestamptz not null default now()
);
create index challenges_started_user_id on challenges_started (user_id, created_at);
create index challenges_started_person_hash on challenges_started (person_hash, created_at);

-- What holds of every vehicle and its challenges at the end of a transaction, whoever wrote it (docs/disputes.md). A
-- plate whose vehicles waited for a dispute that does not exist would never work again, and nobody would be notified.
create function check_dispute_state(checked_id uuid) returns void language plpgsql as $$
declare
  vehicle vehicles;
  challenges boolean;
  -- null: no incumbent
  earlier_status text;
  is_paused boolean;
  broken text;
begin
  select * into vehicle from vehicles where id = checked_id;
  if not found then return; end if;
  challenges := exists (select from plate_disputes where challenger_vehicle_id = checked_id);
  select min(incumbent_status), bool_or(pauses) into earlier_status, is_paused
  from plate_disputes where incumbent_vehicle_id = checked_id;
  broken := case
    when challenges and earlier_status is not null then 'is both sides of a dispute'
    when challenges and vehicle.status <> 'pending_verification' then 'challenges a plate and does not wait'
    when earlier_status = 'verified' and vehicle.status <> 'verified' then 'was verified before its dispute and is not'
    when earlier_status <> 'verified' and is_paused and vehicle.status <> 'pending_verification'
      then 'is in a dispute and not paused'
    when earlier_status <> 'verified' and not is_paused and vehicle.status <> earlier_status
      then 'is in a dispute that does not pause it and is not what it was'
    when vehicle.status = 'pending_verification' and not challenges and earlier_status is null
      then 'waits for a dispute that is not there'
    when exists (
      select from plate_disputes
      where (incumbent_vehicle_id = checked_id or challenger_vehicle_id = checked_id)
        and (province <> vehicle.province or plate_key <> vehicle.plate_key)) then 'has another plate than its dispute'
    when earlier_status is not null and exists (
      select from plate_disputes
      where province = vehicle.province and plate_key = vehicle.plate_key
        and (incumbent_vehicle_id <> checked_id or incumbent_status <> earlier_status))
      then 'is not the one its plate is disputed with'
  end;
  if broken is not null then
    raise exception 'vehicle % %', checked_id, broken using errcode = 'check_violation', constraint = 'dispute_state';
  end if;
end $$;

create function check_vehicle_dispute() returns trigger language plpgsql as $$
begin
  perform check_dispute_state(new.id);
  return null;
end $$;

create function check_dispute_sides() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    perform check_dispute_state(old.incumbent_vehicle_id);
    perform check_dispute_state(old.challenger_vehicle_id);
  end if;
  if tg_op <> 'DELETE' then
    perform check_dispute_state(new.incumbent_vehicle_id);
    perform check_dispute_state(new.challenger_vehicle_id);
  end if;
  return null;
end $$;

-- deferred: a dispute is opened and settled in several steps
create constraint trigger vehicles_dispute_begun after insert on vehicles
  deferrable initially deferred for each row
  when (new.status = 'pending_verification') execute function check_vehicle_dispute();
create constraint trigger vehicles_dispute_state after update of status on vehicles
  deferrable initially deferred for each row
  when (old.status <> new.status) execute function check_vehicle_dispute();
create constraint trigger plate_disputes_state after insert or delete or update of
    province, plate_key, incumbent_vehicle_id, incumbent_status, challenger_vehicle_id, pauses on plate_disputes
  deferrable initially deferred for each row execute function check_dispute_sides();
