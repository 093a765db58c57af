-- What happened in each week that is over (decision admin-lists), counted once: at ten million messages the twelve weeks of the
-- dashboard would be read anew at every visit. Nothing here is about a person. Weeks begin on Mondays, by UTC.
create table weekly_counts (
  starts_on date primary key,
  registrations integer not null,
  messages integer not null,
  reports integer not null
);
