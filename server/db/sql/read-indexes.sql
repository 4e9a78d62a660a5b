-- Every index of ours that no constraint made.
select class.relname as table_name, pg_get_indexdef(index.indexrelid) as definition
from pg_index index
join pg_class class on class.oid = index.indrelid
where class.relnamespace = 'public'::regnamespace
  and class.relname <> 'schema_version'
  and not exists (select from pg_constraint con where con.conindid = index.indexrelid)
order by class.relname, definition
