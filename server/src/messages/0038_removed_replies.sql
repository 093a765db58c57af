-- That moderators removed the reply to a message (decision 0087). Whoever wrote it does not get another one.
alter table messages add column reply_removed boolean not null default false;
