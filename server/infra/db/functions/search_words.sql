-- Returns the words of a text for the search. A word with hyphens, dots or slashes is found as a whole ("mat124g") and by
-- its parts ("mat", "124g"). The index and search_query split text alike, so every text matches itself.
create or replace function search_words(p_text text)
returns text[]
language sql immutable parallel safe
as $$
  select coalesce(array_agg(distinct left(word, 255)), '{}')
  from (select fold_text(p_text) as text) folded
  cross join lateral regexp_split_to_table(
    regexp_replace(folded.text, '[-‐‑–_./]+', '', 'g') || ' ' || folded.text,
    '[\s!-/:-@\[-`{-~‐-‟…•·«»]+'
  ) as word
  where word <> ''
$$;
