-- A second press of the same button, or a new try after an answer that was lost, is the same submission: a keyed hash
-- of who wrote and what tells, for ten minutes (the janitor clears it later). Unique: of two at one moment one is kept.
alter table contact_submissions add column repeat_hash bytea;
create unique index contact_submissions_repeat_hash on contact_submissions (repeat_hash) where repeat_hash is not null;
