-- Looking for a piece of a text, of any length and as it is written, at a cost that does not grow with the table (decision
-- 0016): a text is indexed (GIN, array) by all its pieces of one, two and three characters.

do $$ begin
  if current_setting('server_encoding') <> 'UTF8' then
    raise exception 'PlateNote needs a database with the encoding UTF8, this one has %', current_setting('server_encoding');
  end if;
end $$;

-- What a text is indexed by.
create function search_parts(whole text) returns text[] language sql immutable strict parallel safe as $$
  select array(
    select substr(whole, start, size)
    from generate_series(1, length(whole)) start, generate_series(1, least(3, length(whole) - start + 1)) size)
$$;

-- What a text that contains `part` is indexed by at least: pieces of three that cover it, and those across the ends of words,
-- which are rare. All of its pieces would find hardly less, and each costs.
create function search_keys(part text) returns text[] language sql immutable strict parallel safe as $$
  select case
    when length(part) <= 3 then array[part]
    else array(
      select piece
      from generate_series(1, length(part) - 2) start, substr(part, start, 3) piece
      where start % 3 = 1 or start = length(part) - 2 or piece ~ '[^[:alnum:]]')
  end
$$;

-- For names: without case and accents, so that `helene` finds `Hélène`.
create function search_fold(written text) returns text language sql immutable strict parallel safe as $$
  select lower(regexp_replace(normalize(written, nfkd), '[\u0300-\u036f]', '', 'g'))
$$;
