-- Public pages ask for one uid. An index that has an order as well tempts the planner to page through everybody's items
-- by it.
drop index inventory_item_uid_idx;
create index inventory_item_uid_idx on inventory_item using hash (uid);
