-- The transactions that cause these decisions take them; functions/ keeps one trigger of the listings.
drop function if exists settle_manual_take_down() cascade;
drop function if exists end_moot_take_down() cascade;
drop function if exists report_lost_connection() cascade;
drop function if exists uncount_import_items() cascade;
