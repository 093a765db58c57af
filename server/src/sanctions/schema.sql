-- What admins decided about people (decisions admin-inbox and sanctions-and-appeals). A sanction belongs to a person, not to an
-- account: it is in force for every account of the mailbox, also for one that is made later.
create table sanctions (
  id uuid primary key,
  subject_id uuid not null references subjects on delete restrict,
  kind text not null check (kind in ('warn', 'limit', 'suspend', 'delete_message')),
  -- the case it was decided in; null: decided on the page of the person, or by the admin command
  case_id uuid,
  -- as it was written to the person; null: the admin command gave none
  reason_encrypted bytea,
  -- the admin who decided, who does not decide an appeal; null: the admin command, or an admin who is gone
  decided_by uuid references auth.users on delete set null,
  created_at timestamptz not null default now(),
  -- null: until it is lifted
  ends_at timestamptz,
  lifted_at timestamptz,
  lift_reason_encrypted bytea,
  -- until when the person can appeal
  appealable_until timestamptz not null default now() + interval '20 days',
  constraint only_what_lasts_ends check (kind in ('limit', 'suspend') or ends_at is null)
);
create index sanctions_subject_id on sanctions (subject_id, id desc);
create index sanctions_case_id on sanctions (case_id) where case_id is not null;
create index sanctions_decided_by on sanctions (decided_by) where decided_by is not null;
create index sanctions_in_force on sanctions (subject_id, kind) where kind in ('limit', 'suspend') and lifted_at is null;

-- The links in the mails about sanctions: the hash of what is in the link. They stay with the sanction, so that whoever
-- comes late is told so.
create table appeal_tokens (
  token_hash bytea primary key,
  sanction_id uuid not null references sanctions on delete cascade
);
create index appeal_tokens_sanction_id on appeal_tokens (sanction_id);

-- What the person answers, once for each sanction (decision sanctions-and-appeals).
create table appeals (
  id uuid primary key,
  sanction_id uuid not null unique references sanctions on delete cascade,
  text_encrypted bytea not null,
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  upheld boolean,
  decided_by uuid references auth.users on delete set null,
  decision_reason_encrypted bytea,
  constraint decided_whole check ((decided_at is null) = (upheld is null))
);
create index appeals_open on appeals (id) where decided_at is null;
create index appeals_closed on appeals (id desc) where decided_at is not null;
create index appeals_decided_by on appeals (decided_by) where decided_by is not null;

-- The sanctions in force now. Asked as `left join lateral (select … where person_hash = … limit 1)`, it is two look-ups by index
-- within the statement.
create view live_sanctions as
  select p.person_hash, s.kind
  from subjects p join sanctions s on s.subject_id = p.id
  where s.lifted_at is null and (s.ends_at is null or s.ends_at > now());

-- The same as a question, for a person and for an account. Null, for an account that is not counted under a person yet, is
-- nobody. In plpgsql, whose statements are planned once for each connection: a function in the language SQL that reads a table
-- is planned again whenever a statement calls it, which took most of the time of a send.
create function is_sanctioned(person bytea, sanction text) returns boolean language plpgsql stable parallel safe as $$
begin
  return exists (select from live_sanctions s where s.person_hash = person and s.kind = sanction);
end $$;

create function is_account_sanctioned(account_id uuid, sanction text) returns boolean
language plpgsql stable parallel safe as $$
begin
  return exists (select from auth.users u where u.id = account_id and is_sanctioned(u.person_hash, sanction));
end $$;
