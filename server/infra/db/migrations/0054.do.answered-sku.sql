-- The SKU that a second item was to have, as it was answered: the seller may change the item's own afterwards, and the
-- same answer again is the same all the same (decisions 6).
alter table import_item add column answered_sku text;
