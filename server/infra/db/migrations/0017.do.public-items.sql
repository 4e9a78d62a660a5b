-- Public pages find an item by its uid alone (decisions 7).
create index inventory_item_uid_idx on inventory_item (uid);
