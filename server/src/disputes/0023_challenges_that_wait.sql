-- Challenges that do not pause a plate, and what outlives the account that challenged (decision 0077).

alter table plate_disputes
  -- whether the incumbent is paused by it; a challenge that does not pause waits for an admin while the incumbent stays live
  add column pauses boolean not null default true,
  -- whose challenge it is: the keyed hash of a mailbox, of which one challenge may be open
  add column challenger_person bytea;
-- a verified incumbent was never paused
update plate_disputes set pauses = false where incumbent_status = 'verified';
create index plate_disputes_challenger_person on plate_disputes (challenger_person) where challenger_person is not null;

-- The record of a challenge outlives the account, under the hash of its mailbox: deleting an account does not give the
-- next one three more.
alter table challenges_started
  add column person_hash bytea,
  alter column user_id drop not null,
  drop constraint challenges_started_user_id_fkey,
  add constraint challenges_started_user_id_fkey foreign key (user_id) references auth.users on delete set null;
create index challenges_started_person_hash on challenges_started (person_hash, created_at) where person_hash is not null;

-- When the vehicle last kept its plate against a challenge that was withdrawn, rejected or overdue.
alter table vehicles add column challenge_survived_at timestamptz;

-- As before, but for an incumbent that no open challenge pauses.
create or replace function check_dispute_state(checked_id uuid) returns void language plpgsql as $$
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

drop trigger plate_disputes_state on plate_disputes;
create constraint trigger plate_disputes_state after insert or delete or update of
    province, plate_key, incumbent_vehicle_id, incumbent_status, challenger_vehicle_id, pauses on plate_disputes
  deferrable initially deferred for each row execute function check_dispute_sides();
