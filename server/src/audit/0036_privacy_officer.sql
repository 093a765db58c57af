-- The register of confidentiality incidents (decision 0094; Act respecting the protection of personal information in the
-- private sector, CQLR c. P-39.1, s. 3.8).
create table incidents (
  id uuid primary key,
  created_at timestamptz not null default now(),
  -- the admin, who may be gone by the time somebody reads it
  recorded_by_id uuid not null,
  recorded_by_email text not null,
  -- an entry is never changed: what becomes known later is another one, about the first
  amends uuid references incidents on delete restrict,
  noticed_on date not null,
  serious_risk boolean not null,
  -- how many people are concerned, if that is known
  people integer check (people >= 0),
  -- what happened, whose data, what was done, why there is a risk or none, and who was told: one JSON text. Null only after
  -- the key was lost.
  text_encrypted bytea
);

-- Append-only for everybody, as the audit log. Encrypting the text again under another key is the only change allowed.
create function refuse_incident_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.text_encrypted is not null and old.text_encrypted is not null
    and to_jsonb(new) - 'text_encrypted' = to_jsonb(old) - 'text_encrypted' then
    return new;
  end if;
  raise exception 'the incident register is append-only' using errcode = 'restrict_violation';
end $$;
create trigger incidents_append_only before update or delete on incidents
  for each row execute function refuse_incident_change();
create trigger incidents_never_emptied before truncate on incidents
  for each statement execute function refuse_incident_change();

-- The weekly lists of what admins opened (decision 0087), by the end of their period: whoever adds the row queues its email.
create table opening_lists (
  -- also the ref of its mail
  id uuid primary key,
  starts_at timestamptz not null,
  ends_at timestamptz not null unique
);
