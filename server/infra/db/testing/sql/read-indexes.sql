-- Returns our indexes except those of constraints, and the extended statistics of correlated columns.
select class.relname as table_name, pg_get_indexdef(index.indexrelid) as definition
from pg_index index
join pg_class class on class.oid = index.indrelid
where class.relnamespace = 'public'::regnamespace
  and class.relname <> 'schema_version'
  and not exists (select from pg_constraint con where con.conindid = index.indexrelid)
union all
select class.relname, pg_get_statisticsobjdef(statistic.oid)
from pg_statistic_ext statistic
join pg_class class on class.oid = statistic.stxrelid
where class.relnamespace = 'public'::regnamespace
order by table_name, definition
