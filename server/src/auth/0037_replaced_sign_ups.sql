-- Whether a sign-up ended an earlier one of the same address: its mail then says that the password is the newer one's,
-- because a stranger may have made it.
alter table auth.sign_ups add column replaces_earlier boolean not null default false;
