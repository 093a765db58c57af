-- What /otp, /resend and /recover were asked for, before anybody looked whether the address has an account: the answer
-- is given when this row stands, so that its time is the same for every address. A row lives for a moment.
create table auth.link_wishes (
  id uuid primary key,
  -- as it was asked for; most often nobody's
  email text not null,
  call text not null check (call in ('otp', 'resend', 'recover')),
  -- where the link shall lead, already one of our pages; null: the purpose's own page in this language
  redirect_to text,
  locale text not null check (locale in ('en', 'fr-CA')),
  created_at timestamptz not null default now()
);
