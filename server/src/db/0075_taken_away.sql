-- Accounts stay until their owner ends them (decision 0116).
drop trigger users_begin_use on auth.users;
drop trigger sessions_note_use on auth.sessions;
drop trigger preferences_note_use on preferences;
drop function auth.begin_account_use();
drop function auth.note_account_use();
drop table auth.account_uses, auth.idle_watch;
delete from outbox where kind = 'idle_warning';

-- The register of incidents is kept outside (decision 0094), and who opened what stands in the audit log alone.
drop table incidents;
drop function refuse_incident_change();
drop table opening_lists;
delete from outbox where kind = 'opening_list';

-- Whoever has not agreed to changed terms is asked in the app (decision 0092); nothing is mailed to everybody.
drop table notices;
delete from outbox where kind = 'notice';
