-- The figures in the open and the gauges are of the last days and of what waits: anybody may ask for them, and most of
-- these tables is never purged.
create index listing_intent_ordered_down_idx on listing_intent (created_at)
  where kind = 'delist' and cause in ('sale', 'mark_sold');
create index extension_task_ordered_down_idx on extension_task (created_at)
  where kind = 'delist' and cause in ('sale', 'mark_sold');
create index order_line_recorded_idx on order_line (recorded_at);
create index webhook_delivery_not_delivered_idx on webhook_delivery (state) where state <> 'delivered';
create index outbox_message_on_its_way_idx on outbox_message (status) where status in ('waiting', 'sending');
