-- Everybody of a vehicle is told that somebody joined it. A former driver keeps nothing of that either (0045).
create or replace function silence_driver() returns trigger language plpgsql as $$
begin
  delete from notifications n using driver_messages d
  where d.driver_id = old.id and n.message_id = d.message_id and n.user_id = old.user_id
    and n.type in ('message_received', 'message_answered', 'message_nudged');
  delete from notifications n
  where n.user_id = old.user_id and n.type = 'driver_joined' and n.data ->> 'vehicle_id' = old.vehicle_id::text;
  delete from outbox o using driver_messages d
  where d.driver_id = old.id and o.ref_id = d.message_id and o.recipient_id = old.user_id and o.kind in ('message', 'nudge');
  return old;
end $$;
