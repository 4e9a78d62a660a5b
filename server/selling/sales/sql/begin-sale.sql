-- Inserts the live sale of an item. A second one violates sale_live_key.
insert into sale (user_id, item_uid, order_uid, external_line_id, platform)
values (${user_id}, ${item_uid}, ${order_uid}, ${external_line_id}, ${platform})
