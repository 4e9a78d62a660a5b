-- Ids are compared byte by byte everywhere. An index under another collation serves no comparison with a column under "C":
-- each order for an item, and each sale, went through all orders of its shop that ever were.
alter table listing_intent
  alter column item_uid type text collate "C",
  alter column listing_id type text collate "C";
alter table extension_task
  alter column uid type text collate "C",
  alter column item_uid type text collate "C",
  alter column listing_id type text collate "C";
alter table bulk_item
  alter column item_uid type text collate "C",
  alter column listing_id type text collate "C";

alter table sold_report alter column listing_id type text collate "C";

-- What is due of one lane, and nothing of the others (claim-intents.sql).
drop index listing_intent_due_idx;
create index listing_intent_due_idx on listing_intent (
  (case when kind = 'delist' or cancel_requested_at is not null then 'down' else platform end), priority desc, next_attempt_at
) where state = 'open';

-- A page of the tasks in one state; and what a seller was asked, or said, of one listing.
drop index extension_task_newest_idx;
create index extension_task_status_idx on extension_task (user_id, status, uid);
create index extension_task_listing_idx on extension_task (user_id, listing_id) where listing_id is not null;

-- A page of the alarms in one state. Their time is as exact as the cursor that tells it.
drop index alarm_newest_idx;
alter table alarm alter column created_at type timestamptz(3);
create index alarm_newest_idx on alarm (user_id, state, created_at desc, uid desc);

-- The sale of an order's line: where it ends, and where the line gets another key.
create index sale_line_idx on sale (user_id, order_uid, external_line_id);

-- Lines without an item are looked at again while they are new, and once an hour from then on (find-matchable.sql).
drop index order_line_unmatched_idx;
create index order_line_unmatched_idx on order_line (recorded_at) where state = 'unmatched';
create index order_line_unmatched_turn_idx on order_line (extract(minute from recorded_at at time zone 'utc'))
where state = 'unmatched';
-- What a seller asks for by itself, as it needs them, is a small part of all that was sold.
create index order_line_to_see_idx on order_line (user_id, state, order_uid) where state in ('unmatched', 'oversell');

-- What failed for good, in a log in which nearly all was delivered.
create index webhook_delivery_failed_idx on webhook_delivery (user_id, endpoint_uid, id) where state = 'failed';

-- Receipts of erasures are kept, and nothing looks for them by their time.
drop index push_receipt_received_idx;
create index push_receipt_received_idx on push_receipt (received_at) where subject_hash is null;

-- What was put up, by our key of it and by its id, right behind the user: by a user and a shop the planner expects next to
-- nothing, and read all that the shop ever put up for either.
drop index listing_intent_key_idx;
create index listing_intent_key_idx on listing_intent (user_id, external_key) where kind = 'list';
drop index listing_intent_listing_idx;
create index listing_intent_listing_idx on listing_intent (user_id, listing_id) where kind = 'list';

-- A shop and a job have one user. Taken for unrelated facts, they make an index by those two alone look as good as one that
-- leads to the row.
create statistics channel_listing_shop (dependencies) on user_id, seller_account_uid from channel_listing;
create statistics import_item_job (dependencies) on user_id, job_uid from import_item;
analyze listing_intent, channel_listing, import_item, extension_task, alarm, order_line;
