-- Changes of an account's address (decision 0118): asked for, confirmed from both mailboxes, and undone from the former one.

-- A change that waits until both mailboxes have confirmed it; one for each account.
create table auth.email_changes (
  -- a new one whenever its emails are sent again: they are about it
  id uuid primary key,
  user_id uuid not null unique references auth.users on delete cascade,
  -- as it was asked for; whether it has an account is looked up when its email is written
  new_email text not null,
  requested_at timestamptz not null default now(),
  current_confirmed_at timestamptz,
  new_confirmed_at timestamptz
);

-- The address an account had before a change, for as long as its mailbox can undo it.
create table auth.former_addresses (
  id uuid primary key,
  user_id uuid not null references auth.users on delete cascade,
  email text not null,
  requested_at timestamptz not null,
  changed_at timestamptz not null default now(),
  -- the mailbox the account moved to, if the change made it this person's: to undo the change takes it back
  mailbox_hash bytea
);
create index former_addresses_user_id on auth.former_addresses (user_id, changed_at);

-- The links of both: sha256 of the 32 random bytes in the link.
create table auth.email_change_tokens (
  token_hash bytea primary key,
  purpose text not null check (purpose in ('confirm_current', 'confirm_new', 'stop', 'undo')),
  change_id uuid references auth.email_changes on delete cascade on update cascade,
  former_address_id uuid references auth.former_addresses on delete cascade,
  constraint email_change_tokens_have_one check (
    (purpose = 'undo') = (former_address_id is not null) and (purpose = 'undo') = (change_id is null))
);
create index email_change_tokens_change_id on auth.email_change_tokens (change_id) where change_id is not null;
create index email_change_tokens_former_address_id on auth.email_change_tokens (former_address_id)
  where former_address_id is not null;

-- Whose mailbox it is, where an account has moved to it: an account made there later is the same person's. Keyed hashes only.
create table auth.mailbox_people (
  mailbox_hash bytea primary key,
  person_hash bytea not null
);
create index mailbox_people_person_hash on auth.mailbox_people (person_hash);

alter table auth.events drop constraint events_type_check, add constraint events_type_check check (type in (
  'sign_in', 'sign_in_failed', 'sign_in_refused', 'link_used',
  'factor_added', 'factor_used', 'factor_failed', 'factor_removed',
  'session_ended', 'suspended', 'suspension_lifted',
  'email_change_requested', 'email_change_stopped', 'email_changed', 'email_change_undone'));

-- One goes to the address that is asked for, the other to the one that was left: neither is the account's.
alter table outbox drop constraint only_some_mails_have_no_account, add constraint only_some_mails_have_no_account check (
  recipient_id is not null or kind in ('contact', 'contact_answer', 'opening_list', 'email_change_new', 'email_changed'));
