-- The writes of one send as one statement for pgbench: what the same PostgreSQL can do at best with a message, its
-- notification, its mail and the owner's counter. Its ids rise, like the product's.
create unlogged sequence bench_ids cache 100;
create table bench_people (n integer primary key, id uuid not null);

create function bench_id() returns uuid language sql as $$
  select ('01900000-0000-7000-8000-' || lpad(to_hex(nextval('bench_ids')), 12, '0'))::uuid
$$;

create function bench_send(sender integer, plate_no integer) returns uuid language plpgsql as $$
declare
  message_id uuid := bench_id();
  sender_id uuid;
  vehicle record;
  next_number bigint;
begin
  select id into sender_id from bench_people where n = sender;
  select v.id, v.user_id, v.plate into vehicle from vehicles v
    where v.plate_key = 'B' || lpad(plate_no::text, 6, '0') and is_live(v.status) and v.user_id <> sender_id;
  insert into messages (id, vehicle_id, addressed_to, plate, sender_id, content_encrypted, idempotency_key, request_hash)
  values (message_id, vehicle.id, vehicle.id, vehicle.plate, sender_id, decode(repeat('5a', 180), 'hex'), message_id::text, decode(repeat('5a', 32), 'hex'));
  insert into notification_counters (user_id, last_number) values (vehicle.user_id, 1)
    on conflict (user_id) do update set last_number = notification_counters.last_number + 1
    returning last_number into next_number;
  insert into notifications (id, user_id, number, type, data, message_id) values (bench_id(), vehicle.user_id, next_number,
    'message_received', jsonb_build_object('plate', vehicle.plate, 'message_id', message_id, 'vehicle_id', vehicle.id), message_id);
  insert into outbox (id, kind, ref_id, recipient_id) values (bench_id(), 'message', message_id, vehicle.user_id);
  return message_id;
end $$;
