-- Returns the query for a seller's search text: items that have all of its words, the last one also as a prefix. Null,
-- which matches nothing, without any word.
create or replace function search_query(p_text text)
returns tsquery
language plpgsql immutable parallel safe
as $$
declare
  typed text[] := regexp_split_to_array(btrim(fold_text(p_text), E' \t\n\r!"#$%&()*+,-./:;<=>?@[\\]^_{|}~'), '\s+');
  last integer := array_length(typed, 1);
  beginning text;
  whole text;
  parts text;
  wanted text := '';
begin
  for place in 1 .. last loop
    beginning := case when place = last then ':*' else '' end;
    -- No sign is left that a query could take for an operator or a quote.
    whole := regexp_replace(typed[place], '[\s!-/:-@\[-`{-~‐-‟…•·«»]+', '', 'g');
    continue when whole = '';
    select string_agg('''' || left(part, 255) || '''', ' & ' order by number) into parts
    from regexp_split_to_table(typed[place], '[\s!-/:-@\[-`{-~‐-‟…•·«»]+') with ordinality as split (part, number)
    where part <> '';
    wanted := wanted || case when wanted = '' then '' else ' & ' end
      || '(''' || left(whole, 255) || '''' || beginning || ' | (' || parts || beginning || '))';
  end loop;
  return case when wanted = '' then null else wanted::tsquery end;
end
$$;
