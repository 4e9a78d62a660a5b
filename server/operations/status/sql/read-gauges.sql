-- Counts the waiting work.
select 'alarms' as name, kind as label, count(*)::integer as value from alert where state = 'open' group by kind
union all
select 'webhook_deliveries', state, count(*)::integer from webhook_delivery where state <> 'delivered' group by state
union all
select 'listing_operations', kind, count(*)::integer from listing_operation where state = 'open' group by kind
union all
select 'order_fetch_requests', 'open', count(*)::integer from order_fetch_request where handled_at is null
union all
select 'messages', status, count(*)::integer from outbox_message where status in ('waiting', 'sending') group by status
union all
select 'import_jobs', status, count(*)::integer from import_job where status in ('pending', 'in_progress') group by status
