-- Citus runs triggers where the row is, so what a trigger writes belongs to the same user. Files that were removed before
-- need none: their uid names them.
alter table removed_image add column user_id integer not null default 0;
alter table removed_image drop constraint removed_image_pkey, add constraint removed_image_pkey primary key (user_id, uid);

-- Places a new table of a database that `npm run distribute` has distributed: 'user' puts each row on the shard of its user,
-- 'reference' copies the table to every node. Does nothing on plain PostgreSQL. A migration calls it after `create table`, and
-- adds the foreign keys to other tables of users afterwards.
create function place_table(p_table regclass, p_placement text) returns void language plpgsql as $$
begin
  if to_regclass('pg_catalog.pg_dist_partition') is null then
    return;
  end if;
  if not exists (select from pg_dist_partition where logicalrelid = 'inventory_item'::regclass and partmethod = 'h') then
    return;
  end if;
  if p_placement = 'user' then
    perform create_distributed_table(p_table, 'user_id', colocate_with => 'inventory_item');
  else
    perform create_reference_table(p_table);
  end if;
end
$$;
