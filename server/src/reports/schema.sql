-- Reports of messages, and the evidence they leave (decision message-reports).

-- A reported message, or a reported reply to one, copied when it was first reported. Nothing here refers to the message, its
-- vehicle or an account, so that the case outlives all of them.
create table report_cases (
  id uuid primary key,
  message_id uuid not null,
  -- what was reported: the message itself, or the reply to it
  side text not null check (side in ('message', 'reply')),
  -- whoever wrote that
  subject_id uuid not null references subjects on delete restrict,
  state text not null default 'open' check (state in ('open', 'closed')),
  -- the gravest reason of its reports
  reason text not null check (reason in ('threat', 'sexual', 'harassment', 'false_alarm', 'spam', 'other')),
  -- how many people have reported the subject independently of each other
  reporters integer not null default 1 check (reporters > 0),
  -- shown before the others; nothing else follows from it
  is_raised boolean not null generated always as (reporters >= 3) stored,
  -- the case's own key, wrapped by the master key; the boxes here and in its reports are encrypted with it
  key_envelope bytea not null,
  evidence_box bytea not null,
  image_box bytea,
  created_at timestamptz not null default now(),
  closed_at timestamptz,
  unique (message_id, side),
  constraint closed_cases_have_a_time check ((state = 'closed') = (closed_at is not null))
);
-- the moderators' queue: what stands before the others, and the oldest first
create index report_cases_open on report_cases ((not is_raised), id) where state = 'open';
create index report_cases_closed on report_cases (id desc) where state = 'closed';
create index report_cases_subject_id on report_cases (subject_id, id desc);
create index report_cases_created_at on report_cases (created_at);

create table reports (
  id uuid primary key,
  case_id uuid not null references report_cases on delete cascade,
  reporter_id uuid references auth.users on delete set null,
  -- The person who reports, their network and the plates they had: keyed for the subject of the case, to see which reporters
  -- belong together. What one person reports about two subjects cannot be told to be of one.
  reporter_hash bytea not null,
  network_hash bytea not null,
  plate_hashes bytea[] not null,
  reason text not null check (reason in ('threat', 'sexual', 'harassment', 'false_alarm', 'spam', 'other')),
  note_box bytea,
  created_at timestamptz not null default now(),
  unique (case_id, reporter_hash)
);
create index reports_reporter_id on reports (reporter_id, id desc) where reporter_id is not null;
