-- Returns figures about an account: what it has, and what waits.
select
  (select count(*)::integer from inventory_item where user_id = ${user_id}) as items,
  (select count(*)::integer from channel_listing where user_id = ${user_id}) as listings,
  (select count(*)::integer from sale where user_id = ${user_id}) as sales,
  (select count(*)::integer from api_key where user_id = ${user_id}) as api_keys,
  (select count(*)::integer from webhook_endpoint where user_id = ${user_id}) as webhooks,
  (select count(*)::integer from jobs.job where group_id = ${user_id}::text and state < 'completed') as waiting_jobs,
  (select count(*)::integer from jobs.job where group_id = ${user_id}::text and state = 'failed') as failed_jobs,
  (select max(ends_at) from subscription_grant where user_id = ${user_id}) as granted_until,
  coalesce((
    select json_agg(json_build_object('platform', platform, 'name', external_name, 'status', status) order by platform)
    from seller_account where user_id = ${user_id}
  ), '[]') as shops
