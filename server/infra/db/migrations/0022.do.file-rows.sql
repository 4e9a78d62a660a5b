-- The row of a file that made an item, where no SKU names it: importing the row again does not add the item again.
alter table inventory_item add column file_row text;
create unique index inventory_item_file_row_key on inventory_item (user_id, file_row) where file_row is not null;
