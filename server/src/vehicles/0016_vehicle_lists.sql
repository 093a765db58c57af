-- The list of vehicles for admins (requirements §2): newest first within a province, a status or both, and by a piece of the plate.
create index vehicles_province on vehicles (province, id desc);
create index vehicles_status on vehicles (status, id desc);
create index vehicles_province_status on vehicles (province, status, id desc);

-- As for accounts, see 0015.
create index vehicles_plate_trigrams on vehicles using gin (plate_key gin_trgm_ops) with (fastupdate = off);
