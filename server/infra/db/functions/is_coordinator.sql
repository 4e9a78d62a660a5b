-- Says whether this node is where clients connect: always on plain PostgreSQL. On Citus a trigger of a reference table runs on
-- every node, and what it sends or writes must happen once.
create or replace function is_coordinator() returns boolean language plpgsql stable as $$
begin
  if to_regclass('pg_catalog.pg_dist_local_group') is null then
    return true;
  end if;
  return (select groupid = 0 from pg_dist_local_group);
end
$$;
