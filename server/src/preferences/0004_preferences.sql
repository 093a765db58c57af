create table preferences (
  user_id uuid primary key references auth.users on delete cascade,
  locale text not null default 'en' check (locale in ('en', 'fr-CA')),
  email_messages boolean not null default true,
  email_message_text boolean not null default true
);
