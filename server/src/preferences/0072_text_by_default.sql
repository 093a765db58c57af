-- The text of messages and replies is in emails again unless their recipient turned it off (decision 0111). A row older than
-- the default 'off' (0048) got its 'off' from its person, and keeps it. Any other may never have been looked at: 0048 wrote
-- it, or the default did. The age of a default is that of the transaction that set it.
update preferences p set email_message_text = true
from pg_attrdef d
join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
where d.adrelid = 'preferences'::regclass and a.attname = 'email_message_text'
  and not p.email_message_text and age(p.xmin) <= age(d.xmin);

alter table preferences alter column email_message_text set default true;
