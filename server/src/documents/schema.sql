-- Documents that a side of a dispute sends, and that they arrived (decision plate-disputes). All of it ends with the dispute.

-- The files: encrypted, in the store of the images, without the names they had. Read by the admin who decides, and nobody else.
create table dispute_documents (
  id uuid primary key,
  -- the side that sent it; the key is bound to it
  vehicle_id uuid not null references vehicles on delete cascade,
  -- two for each side
  place smallint not null check (place in (1, 2)),
  -- 32 random bytes in base64url; the file is <file_name>.sealed
  file_name text not null unique check (file_name ~ '^[A-Za-z0-9_-]{43}$'),
  -- the key envelope of the file (see encryption/)
  key_envelope bytea not null,
  kind text not null check (kind in ('image', 'pdf')),
  size integer not null check (size > 0),
  created_at timestamptz not null default now(),
  unique (vehicle_id, place)
);
create trigger dispute_documents_remember_file after delete on dispute_documents
  for each row execute function remember_file('file_name', '.sealed');
create trigger dispute_documents_deletions after delete on dispute_documents
  referencing old table as gone for each statement execute function record_deletions();

-- That documents of a side arrived, and how. It outlasts the files, which are deleted after a while.
create table document_arrivals (
  vehicle_id uuid not null references vehicles on delete cascade,
  way text not null check (way in ('upload', 'mail')),
  -- of a mail: the keyed hash of its Message-ID, so that a mail delivered twice counts once
  mail_hash bytea,
  arrived_at timestamptz not null default now(),
  constraint one_arrival unique nulls not distinct (vehicle_id, way, mail_hash)
);

-- When a vehicle leaves its last dispute, by a decision or in any other way, nobody needs its documents any more. Deferred:
-- a challenger that takes the incumbent's place leaves one row of the dispute and gets others.
create function forget_documents() returns trigger language plpgsql as $$
declare
  side uuid;
begin
  foreach side in array array[old.incumbent_vehicle_id, old.challenger_vehicle_id] loop
    if not exists (
      select from plate_disputes where incumbent_vehicle_id = side or challenger_vehicle_id = side) then
      delete from dispute_documents where vehicle_id = side;
      delete from document_arrivals where vehicle_id = side;
    end if;
  end loop;
  return null;
end $$;
create constraint trigger plate_disputes_forget_documents after delete or update of
    incumbent_vehicle_id, challenger_vehicle_id on plate_disputes
  deferrable initially deferred for each row execute function forget_documents();
