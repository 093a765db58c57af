-- Accounts and vehicles as the lists for admins meet them: people with French and English names at the providers of
-- Canada, plates of the provinces' shapes, the provinces by their weight. Needs `bench.vehicles` (how many); nearly a third as
-- many accounts. Ids rise like the product's, over two years.
create function bench_id(n bigint, every_ms double precision, kind text) returns uuid language sql immutable as $$
  select (lpad(to_hex((1700000000000 + n * every_ms)::bigint), 12, '0') || '7000' || kind || lpad(to_hex(n), 12, '0'))::uuid
$$;

-- The nth of a list whose entries say how many of a hundred they are.
create function bench_pick(weights integer[], names text[], n bigint) returns text language plpgsql immutable as $$
declare
  left_over integer := n % 100;
begin
  for i in 1 .. array_length(weights, 1) loop
    left_over := left_over - weights[i];
    if left_over < 0 then return names[i]; end if;
  end loop;
  return names[1];
end $$;

-- Three letters and three digits, each n another one, in no order one could see.
create function bench_plate(n bigint) returns text language sql immutable as $$
  select substr(a, (k / 441000 % 21)::int + 1, 1) || substr(a, (k / 21000 % 21)::int + 1, 1)
    || substr(a, (k / 1000 % 21)::int + 1, 1) || lpad((k % 1000)::text, 3, '0')
  from (select n * 7368787 % 9261000 as k, 'ABCDEFHJKLMNPRSTVWXYZ' as a) x
$$;

insert into auth.users (id, email, person_hash, encrypted_password, email_confirmed_at, user_metadata)
select bench_id(n, 6e10 / total, '8000'),
  search_fold(replace(first, ' ', '')) || '.' || replace(search_fold(last), '''', '') || n || '@' || domain, sha256(n::text::bytea), '-', now(),
  jsonb_build_object('full_name', first || ' ' || last)
from (
  select n, total,
    (array['Marie', 'Émile', 'Hélène', 'Zoé', 'Alex', 'Jean François', 'Liam', 'Olivia', 'Noah', 'Emma', 'Chloé', 'Félix',
      'William', 'Charlotte', 'Nathan', 'Aurélie', 'Priya', 'Wei', 'Fatima', 'Omar'])[n * 7919 % 20 + 1] as first,
    -- a third has a double name
    surnames[n / 20 % 30 + 1] || case when n % 3 = 0 then '-' || surnames[n / 600 % 29 + 1] else '' end as last,
    bench_pick('{41,17,13,8,7,5,5,4}', '{gmail.com,outlook.com,hotmail.com,videotron.ca,yahoo.ca,bell.net,icloud.com,telus.net}',
      n * 31 + n / 100) as domain
  from (
      select ceil(current_setting('bench.vehicles')::int * 0.3)::int as total,
        array['Tremblay', 'Gagnon', 'Roy', 'Côté', 'Bouchard', 'Gauthier', 'Morin', 'Lavoie', 'Fortin', 'Gagné', 'Smith',
          'Brown', 'Martin', 'Wilson', 'MacDonald', 'Singh', 'Li', 'Nguyen', 'Khan', 'O''Brien', 'Pelletier', 'Bélanger',
          'Lévesque', 'Bergeron', 'Leblanc', 'Paquette', 'Girard', 'Simard', 'Boucher', 'Ouellet'] as surnames) t,
    generate_series(1::bigint, total) n) people;

-- Three of four owners registered soon after they signed up, the others any time later. A thousandth is rejected, two
-- thousandths wait in pairs for a dispute.
insert into vehicles (id, user_id, plate, make, model, registration_year, province, status)
select bench_id(n, 6e10 / total, '9000'), bench_id(case when n % 4 = 3 then 1 + n * 7919 % by_then else by_then end, 6e10 / users, '8000'),
  case province when 'Ontario' then 'C' || plate when 'Quebec' then substr(plate, 1, 3) || '-' || substr(plate, 4) else plate end,
  'Honda', 'Civic', 2000 + (n % 26)::int, province,
  case
    when n % 1000 = 400 then 'rejected'
    when n % 1000 in (502, 503) then 'pending_verification'
    when n % 10 = 7 then 'verified'
    else 'active'
  end
from (
  select n, total, ceil(total * 0.3)::int as users, ceil(n * 0.3)::bigint as by_then, bench_plate(pair) as plate,
    bench_pick('{39,22,14,12,4,3,2,2,1,1}', '{Ontario,Quebec,British Columbia,Alberta,Manitoba,Saskatchewan,Nova Scotia,
      New Brunswick,Newfoundland and Labrador,Prince Edward Island}', pair * 37 + pair / 1000) as province
  from (select current_setting('bench.vehicles')::int as total) t,
    generate_series(1::bigint, total) n,
    lateral (select n - (n % 1000 = 503)::int as pair) p) cars;

insert into plate_disputes (id, province, plate, plate_key, incumbent_vehicle_id, incumbent_status, challenger_vehicle_id,
  documents_due_at)
select bench_id(row_number() over (order by i.id), 1, 'a000'), i.province, i.plate, i.plate_key, i.id, 'active', c.id,
  now() + interval '5 days'
from vehicles i
join vehicles c on c.plate_key = i.plate_key and c.province = i.province and c.id > i.id
where i.status = 'pending_verification';
