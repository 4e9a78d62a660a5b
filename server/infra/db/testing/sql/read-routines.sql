-- Returns our functions and triggers as SQL text.
select definition
from (
  select 1 as rank, routine.proname as name, pg_get_functiondef(routine.oid) as definition
  from pg_proc routine
  where routine.pronamespace = 'public'::regnamespace
    and not exists (select from pg_depend where objid = routine.oid and deptype = 'e')
  union all
  select 2, trigger.tgname, pg_get_triggerdef(trigger.oid)
  from pg_trigger trigger
  join pg_class class on class.oid = trigger.tgrelid
  where class.relnamespace = 'public'::regnamespace and not trigger.tgisinternal
) routines
order by rank, name, definition
