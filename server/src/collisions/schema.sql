-- Cards of particulars that come with messages about a collision (decision collision-messages): who hit a vehicle. Nothing here leads to a
-- message or an account without the keys: no id of theirs, no time but the day, and an id that is random instead of one that
-- grows with the time. The message is found by a keyed hash of its id.
create table collision_cards (
  id uuid primary key,
  message_hash bytea not null unique,
  -- the card's own key, wrapped by the master key; the box and the photos are encrypted with it
  key_envelope bytea not null,
  card_box bytea not null,
  created_on date not null default current_date
);
create index collision_cards_created_on on collision_cards (created_on);

-- Photos are stored before their card, whose message may be refused: they refer to it without a foreign key, and those that
-- got no card are deleted after a day.
create table collision_photos (
  card_id uuid not null,
  place smallint not null check (place between 1 and 3),
  photo_box bytea not null,
  created_on date not null default current_date,
  primary key (card_id, place)
);
create index collision_photos_created_on on collision_photos (created_on);

-- Messages whose row was deleted, in whatever way: their cards can be found only with the keys, by a job.
create table collisions_to_forget (
  message_id uuid primary key
);
