-- Whether the incumbent was a challenger itself, that took the side of one that left and waits since: its plate never worked,
-- so that its owner does not read that it works again when the challenge is over (decision 0049).
alter table plate_disputes add column incumbent_succeeded boolean not null default false;
