-- Legal holds are gone (decision 0117), and with them what they kept; the jobs that delete files find those of it.
drop function keep_held() cascade; -- with the triggers of the tables that holds preserved
drop function hold_new_vehicle() cascade;
drop function hold_with(uuid, uuid);
drop function holds_of(uuid[]);
drop function is_in_force(holds);
drop table held_records, held_ids, holds;
