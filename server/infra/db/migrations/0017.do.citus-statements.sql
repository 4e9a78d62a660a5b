-- Its statements hold it themselves: Citus passes no row to a function.
drop function if exists is_sold_elsewhere(extension_task);
