-- Searching for a piece of a text, as it is written (decision admin-lists).

do $$ begin
  if current_setting('server_encoding') <> 'UTF8' then
    raise exception 'PlateNote needs a database with the encoding UTF8, this one has %', current_setting('server_encoding');
  end if;
end $$;

-- pg_trgm is a trusted extension: whoever may create the schemas of PlateNote may create it, unless the host forbids it.
do $$ begin
  create extension if not exists pg_trgm;
exception when others then
  raise exception 'PlateNote needs the PostgreSQL extension pg_trgm in its database. Let an administrator of the database '
    'run "create extension pg_trgm" there, then start PlateNote again. (PostgreSQL says: %)', sqlerrm;
end $$;

-- For names: without case and accents, so that `helene` finds `Hélène`.
create function search_fold(written text) returns text language sql immutable strict parallel safe as $$
  select lower(regexp_replace(normalize(written, nfkd), '[\u0300-\u036f]', '', 'g'))
$$;

-- The pattern (for LIKE) of all texts that contain `part`, in which no character is a wildcard. Null, which matches
-- nothing, for an empty part.
create function search_pattern(part text) returns text language sql immutable strict parallel safe as $$
  select '%' || regexp_replace(nullif(part, ''), '[\\%_]', '\\\&', 'g') || '%'
$$;
