-- Legal holds (decision 0117): a court or an authority asks for records to be preserved. Deletions go on as always, for the
-- person and everybody else; what a hold covers is copied at that moment, and the copies are destroyed when the hold ends.
create table holds (
  id uuid primary key,
  -- what is held: an account, which may be gone by now, or a plate in its province
  account_id uuid,
  plate text,
  plate_key text generated always as (replace(plate, '-', '')) stored,
  province text,
  -- why, the authority's reference number, and the address of the account: one JSON text
  terms_encrypted bytea not null,
  -- the admin's address at that time
  placed_by text not null,
  created_at timestamptz not null default now(),
  -- the last day, in Toronto
  ends_on date not null,
  lifted_at timestamptz,
  lift_reason_encrypted bytea,
  constraint one_thing check ((account_id is null) = (plate is not null) and (plate is null) = (province is null)),
  constraint lifted_with_a_reason check (lifted_at is not null or lift_reason_encrypted is null)
);
create index holds_account on holds (account_id) where account_id is not null;
create index holds_plate on holds (plate_key, province) where plate is not null;

create function is_in_force(hold holds) returns boolean language sql stable parallel safe as $$
  select hold.lifted_at is null and hold.ends_on >= (now() at time zone 'America/Toronto')::date
$$;

-- The ids a hold covers: the account and its vehicles, or the vehicles of the plate, and what was found to belong to them. A row
-- of another table is held when one of its ids is here.
create table held_ids (
  hold_id uuid not null references holds on delete cascade,
  id uuid not null,
  primary key (id, hold_id)
);
create index held_ids_hold on held_ids (hold_id);

-- The copies. A row waits in `row` until a process with the keys seals it, within a minute.
create table held_records (
  id uuid primary key default gen_random_uuid(),
  hold_id uuid not null references holds on delete cascade,
  table_name text not null,
  row_id uuid,
  -- deleted, or changed so that something was lost; `author`: the account that wrote a held message
  why text not null check (why in ('deleted', 'changed', 'author')),
  kept_at timestamptz not null default now(),
  -- the file of an image or a document, which stays where it is as long as this row does
  file_name text,
  row jsonb,
  row_encrypted bytea,
  constraint sealed_or_waiting check ((row is null) <> (row_encrypted is null))
);
create index held_records_hold on held_records (hold_id, id);
create index held_records_file on held_records (file_name) where file_name is not null;
create index held_records_waiting on held_records (kept_at) where row is not null;

-- Finds the holds in force that cover any of these ids.
create function holds_of(ids uuid[]) returns setof uuid language sql stable as $$
  select distinct h.id from held_ids k join holds h on h.id = k.hold_id where k.id = any(ids) and is_in_force(h)
$$;

-- Holds a row together with another one, which may be held.
create function hold_with(held uuid, id uuid) returns void language sql as $$
  insert into held_ids (hold_id, id) select hold, $2 from holds_of(array[held]) hold on conflict do nothing
$$;

-- Copies a row that is about to be deleted, or to lose something, for every hold that covers it. The arguments name its columns
-- with ids. Credentials are never copied.
create function keep_held() returns trigger language plpgsql as $$
declare
  gone jsonb;
  ids uuid[];
  hold uuid;
begin
  if exists (select from holds h where is_in_force(h)) then
    gone := to_jsonb(old) - array['encrypted_password', 'full_name_folded', 'lease_token'];
    select array_agg((gone ->> name)::uuid) into ids from unnest(tg_argv) name;
    if gone ? 'message_id' then
      ids := ids || array(
        select unnest(array[m.id, m.sender_id, m.vehicle_id, m.addressed_to]) from messages m where m.id = (gone ->> 'message_id')::uuid);
    end if;
    for hold in select holds_of(ids) loop
      insert into held_records (hold_id, table_name, row_id, why, file_name, row) values (
        hold,
        case when tg_table_schema = 'public' then tg_table_name else tg_table_schema || '.' || tg_table_name end,
        (gone ->> 'id')::uuid,
        case when tg_op = 'DELETE' then 'deleted' else 'changed' end,
        case when tg_op = 'DELETE' then
          case tg_table_name when 'attachments' then gone ->> 'name' when 'dispute_documents' then gone ->> 'file_name' end
        end,
        gone);
      -- what belongs to the row goes after it
      insert into held_ids (hold_id, id)
      select hold, v::uuid from unnest(array[gone ->> 'id', gone ->> 'attachment_id']) v where v is not null
      on conflict do nothing;
      if tg_table_name = 'messages' then
        insert into held_records (hold_id, table_name, row_id, why, row)
        select hold, 'auth.users', u.id, 'author', to_jsonb(u) - array['encrypted_password', 'full_name_folded']
        from auth.users u
        where u.id = (gone ->> 'sender_id')::uuid and not exists (
          select from held_records r where r.hold_id = hold and r.table_name = 'auth.users' and r.row_id = u.id);
      end if;
    end loop;
  end if;
  if tg_op = 'DELETE' then return old; end if;
  return new;
end $$;

-- This list is what a hold preserves. Before, not after: what a trigger or a foreign key does to other rows comes later.
create trigger keep_held before delete or update of email, user_metadata on auth.users
  for each row execute function keep_held('id');
create trigger keep_held before delete on auth.sessions for each row execute function keep_held('user_id');
create trigger keep_held_address before update of ip on auth.sessions
  for each row when (old.ip is not null and new.ip is null) execute function keep_held('user_id');
create trigger keep_held before delete on auth.events for each row execute function keep_held('user_id');
create trigger keep_held before delete on consents for each row execute function keep_held('user_id');
create trigger keep_held before delete on blocks for each row execute function keep_held('user_id');
create trigger keep_held before delete on vehicles for each row execute function keep_held('id', 'user_id');
create trigger keep_held before delete on vehicle_drivers for each row execute function keep_held('user_id', 'vehicle_id');
create trigger keep_held before delete on plate_disputes
  for each row execute function keep_held('incumbent_vehicle_id', 'challenger_vehicle_id');
create trigger keep_held before delete on dispute_documents for each row execute function keep_held('vehicle_id');
create trigger keep_held before delete on messages
  for each row execute function keep_held('id', 'sender_id', 'vehicle_id', 'addressed_to');
create trigger keep_held_change before update of sender_id, vehicle_id, reply_encrypted on messages
  for each row when (
    (old.sender_id is not null and new.sender_id is null) or (old.vehicle_id is not null and new.vehicle_id is null)
    or (old.reply_encrypted is not null and new.reply_encrypted is null))
  execute function keep_held('id', 'sender_id', 'vehicle_id', 'addressed_to');
create trigger keep_held before delete on attachments for each row execute function keep_held('id', 'uploader_id');
create trigger keep_held before delete on notes for each row execute function keep_held('id');
create trigger keep_held_change before update of message_id on notes
  for each row when (old.message_id is not null and new.message_id is null) execute function keep_held('id', 'message_id');
create trigger keep_held before delete on collision_cards for each row execute function keep_held('id');
create trigger keep_held before delete on collision_photos for each row execute function keep_held('card_id');
create trigger keep_held before delete on report_cases for each row execute function keep_held('id', 'subject_id', 'message_id');
create trigger keep_held before delete on reports for each row execute function keep_held('case_id', 'reporter_id');
create trigger keep_held before delete on sanctions for each row execute function keep_held('id', 'subject_id');
create trigger keep_held before delete on appeals for each row execute function keep_held('sanction_id');
create trigger keep_held before delete on audit_log for each row execute function keep_held('subject_id', 'actor_id');
create trigger keep_held before delete on outbox for each row execute function keep_held('recipient_id');

-- A vehicle registered while its owner or its plate is held is held too.
create function hold_new_vehicle() returns trigger language plpgsql as $$
begin
  insert into held_ids (hold_id, id)
  select h.id, new.id from holds h
  where is_in_force(h) and (h.account_id = new.user_id or (h.plate_key = new.plate_key and h.province = new.province))
  on conflict do nothing;
  return null;
end $$;
create trigger hold_new_vehicle after insert on vehicles for each row execute function hold_new_vehicle();
