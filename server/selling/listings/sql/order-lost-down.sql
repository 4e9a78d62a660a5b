-- Orders down what a worker put up for an intent that had ended without it meanwhile; not for an account that is closed,
-- whose shops let nobody in.
insert into listing_intent (
  user_id, kind, item_uid, platform, seller_account_uid, listing_id, listing_url, external_key, cause, cause_ref, priority
)
select intent.user_id, 'delist', intent.item_uid, intent.platform, intent.seller_account_uid, ${listing_id}, ${url},
  intent.external_key, 'compensation', intent.id::text, ${priority}
from listing_intent intent
join app_user on app_user.id = intent.user_id and app_user.state = 'active'
where intent.user_id = ${user_id} and intent.id = ${id} and intent.state <> 'open'
  and (intent.state <> 'done' or intent.listing_id is distinct from ${listing_id})
on conflict (user_id, seller_account_uid, listing_id) where kind = 'delist' and state = 'open' do nothing
