-- Returns a text as the search compares it: lower case, without accents and apostrophes. Scripts other than Latin are put
-- into lower case only where the locale of the database knows them.
create or replace function fold_text(p_text text)
returns text
language sql immutable parallel safe
as $$
  select lower(regexp_replace(normalize(p_text, NFKD), '[\u0300-\u036f''’‘ʼ`´]', '', 'g'))
$$;
