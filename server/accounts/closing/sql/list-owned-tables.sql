-- Returns the tables whose rows belong to an account, referring tables first. `key`: the columns of the primary key.
with recursive owned as (
  select class.oid, class.relname
  from pg_class class
  join pg_attribute attribute on attribute.attrelid = class.oid
  where class.relkind = 'r' and class.relnamespace = 'public'::regnamespace
    and attribute.attname = 'user_id' and not attribute.attisdropped
), depth (oid, level) as (
  select oid, 0 from owned
  union
  select reference.conrelid, depth.level + 1
  from depth
  join pg_constraint reference on reference.confrelid = depth.oid and reference.contype = 'f'
  join owned on owned.oid = reference.conrelid
  where reference.conrelid <> reference.confrelid and depth.level < 20
)
select owned.relname as name, coalesce((
  select array_agg(attribute.attname::text order by part.place)
  from pg_index index, unnest(index.indkey) with ordinality as part (number, place)
  join pg_attribute attribute on attribute.attnum = part.number
  where index.indrelid = owned.oid and index.indisprimary and attribute.attrelid = owned.oid
), '{}') as key
from owned
join depth using (oid)
group by owned.oid, owned.relname
order by max(depth.level) desc, owned.relname
