-- Inserts a seller with 4,000 items among two hundred with twenty each, and years of their history. References are not
-- checked, because only the numbers of rows matter.
set local session_replication_role = replica;
create temp table thing on commit drop as
select user_id, (user_id - 1) * 4000 + n as id, n, 'inv_' || lpad(((user_id - 1) * 4000 + n)::text, 22, '0') as uid
from generate_series(1, 201) user_id, generate_series(1, case when user_id = 1 then 4000 else 20 end) n;

insert into app_user (username, email) overriding system value select 'user' || n, 'user' || n || '@example.com' from generate_series(1, 201) n;
insert into seller_account (user_id, uid, platform, external_id, external_name, url, status)
select user_id, 'sel_' || user_id || platform, platform, 'x-' || user_id || platform, 'x', 'https://example.com', 'connected'
from generate_series(1, 201) user_id, unnest(array['ebay', 'etsy', 'poshmark', 'mercari']) platform;
insert into inventory_item (user_id, uid, sku, product_id, offer_id, title, images, condition_label, inspected_at, price_minor, currency, state, observed_at, seller_url, shipping_policy_url, returns_policy_url)
select user_id, uid, 'SKU-' || n, uid, 'offer', 'Thing', '{x}', 'good', current_date, 100, 'USD', case when n % 5 = 0 then 'sold' else 'available' end, now(), 'x', 'x', 'x' from thing;
insert into channel_listing (user_id, seller_account_uid, listing_id, item_uid, platform, url, state, price_minor, currency, observed_at, created_at, updated_at, for_sale_since)
select user_id, 'sel_' || user_id || platform, platform || '-' || id, uid, platform, 'x', case when n % 5 = 0 then 'sold' else 'available' end, 100, 'USD', now(), now() - interval '9 days', now() - interval '9 days', now() - interval '9 days'
from thing, unnest(array['ebay', 'etsy', 'poshmark']) platform;
-- Finished list operations, and half as many of the large seller that are due on eBay.
insert into listing_operation (user_id, kind, item_uid, platform, seller_account_uid, listing_id, external_key, state, cause, created_at, accepted_at, finished_at)
select user_id, 'list', uid, platform, 'sel_' || user_id || platform, platform || '-' || id, 'key-' || id, 'done', 'user', now() - interval '9 days', now(), now()
from thing, unnest(array['ebay', 'etsy']) platform;
insert into listing_operation (user_id, kind, item_uid, platform, seller_account_uid, external_key, state, cause, next_attempt_at)
select user_id, 'list', uid, 'ebay', 'sel_' || user_id || 'ebay', 'again-' || id, 'open', 'bulk', now() - interval '1 minute' from thing where user_id = 1 and n % 2 = 0;
-- Extension tasks, nearly all completed.
insert into extension_task (user_id, uid, kind, status, platform, item_uid, seller_account_uid, reason, url, listing_id, cause, finished_at)
select user_id, 'tsk_' || lpad(id::text, 22, '0'), case n % 2 when 0 then 'list' else 'delist' end, case when n % 500 = 1 then 'open' else 'completed' end, 'poshmark', uid, 'sel_' || user_id || 'poshmark', 'x', 'x', 'poshmark-' || id, 'user', case when n % 500 <> 1 then now() end from thing;
insert into alert (user_id, uid, kind, item_uid, reference, message, state, created_at, finished_at)
select user_id, 'alm_' || lpad(id::text, 22, '0'), 'relist_offer', uid, '', 'x', case when n % 20 = 7 then 'open' else 'resolved' end, now() - n * interval '1 hour', case when n % 20 <> 7 then now() end from thing;
-- Orders, of which two fifths are for unknown items.
insert into marketplace_order (user_id, uid, platform, seller_account_uid, external_order_id, source, status, ordered_at, modified_at)
select user_id, 'ord_' || lpad(id::text, 22, '0'), 'ebay', 'sel_' || user_id || 'ebay', 'order-' || id, 'platform', 'paid', now() - n * interval '1 hour', now() from thing;
insert into order_line (user_id, order_uid, external_line_id, listing_id, sku, quantity, price_minor, currency, item_uid, matched_by, status, state, modified_at, recorded_at)
select user_id, 'ord_' || lpad(id::text, 22, '0'), '1', case when n % 5 < 3 then 'ebay-' else 'unknown-' end || id, 'unknown', 1, 100, 'USD', case when n % 5 < 3 then uid end, case when n % 5 < 3 then 'listing' end, 'paid', case when n % 5 < 3 then 'sold' else 'unmatched' end, now(), now() - n * interval '61 minutes' from thing;
insert into sale (user_id, item_uid, order_uid, external_line_id, platform) select user_id, item_uid, order_uid, '1', 'ebay' from order_line where state = 'sold';
insert into push_receipt (platform, message_id, topic, received_at, subject_hash) select 'ebay', 'm' || n, 'erasure', now() - interval '90 days', '\x00' from generate_series(1, 3000) n;
-- Three imports, with conflicts that the seller skipped.
insert into import_job (user_id, uid, seller_account_uid, platform, source, status, states, progress, completed_at)
select user_id, 'job_' || user_id || n, 'sel_' || user_id || 'ebay', 'ebay', 'pull', 'completed', '{active}', 100, now() from generate_series(1, 201) user_id, generate_series(1, 3) n;
insert into import_item (user_id, job_uid, uid, external_listing_id, found, observed_at, external_sku, listing_title, status, resolution, processed_at)
select thing.user_id, job.uid, 'itm_' || lpad(thing.id::text, 22, '0'), 'ebay-' || thing.id, '{}', now(), '', 'x', 'skipped', case when n % 2 = 0 then 'skip' end, now() from thing join import_job job on job.user_id = thing.user_id;
-- Events, nearly all delivered.
insert into event (user_id, seq, uid, type, item_uid, data) select user_id, n, 'evt_' || id, 'item.state_changed', uid, '{}' from thing;
insert into webhook_delivery (user_id, endpoint_uid, event_seq, event_type, state, finished_at) select user_id, 'whk_' || user_id, n, 'item.state_changed', case when n = 7 then 'failed' else 'delivered' end, now() from thing;
insert into failed_attempt (kind, subject, network, count, allowed, expires_at) select 'login', sha256(n::text::bytea), '\x00', 1, true, now() from generate_series(1, 20000) n;
