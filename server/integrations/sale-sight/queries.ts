// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'
import type { PlatformSlug } from '#shared/platforms.ts'

/** Returns what would tell of a sale in each shop of an account. `is_late`: its orders cannot be read, or were not when they
 * should have been. `notices_work`: the platform's notices of sales arrive. */
export const listSaleWitnesses = statement<{ user_id: number }, { platform: PlatformSlug; status: 'connected' | 'reconnect_required' | 'revoked'; interval_seconds: number | null; is_late: boolean; notices_work: boolean; orders_read_at: string | null; notice_at: string | null; compared_at: string | null; page_read_at: string | null }>(
  'integrations/sale-sight/listSaleWitnesses',
  ['user_id'],
  `select shop.platform, shop.status, sync.interval_seconds as interval_seconds,
  coalesce(
    sync.failures > 0
    or coalesce(sync.last_success_at, sync.created_at) < now() - (sync.interval_seconds + 600) * interval '1 second', false
  ) as is_late,
  coalesce(
    (shop.sale_notices = 'subscribed' or sync.last_push_at > now() - interval '7 days')
    and coalesce(sync.last_push_at > sync.last_missed_push_at, sync.last_missed_push_at is null),
    false
  ) as notices_work,
  sync.last_success_at as orders_read_at, sync.last_push_at as notice_at, shop.reconciled_at as compared_at,
  coalesce(shop.last_seen_at, shop.last_synced_at) as page_read_at
from seller_account shop
left join order_sync sync on sync.user_id = shop.user_id and sync.seller_account_uid = shop.uid
where shop.user_id = $1 and shop.status <> 'revoked'`,
)

/** Returns the marketplaces whose last sale within 30 days a mail told, with its time: it named the item without the seller's
 * answer. Mails of a mailbox that cannot be read now do not count. */
export const listMailWitnesses = statement<{ user_id: number }, { platform: PlatformSlug; last_at: string }>(
  'integrations/sale-sight/listMailWitnesses',
  ['user_id'],
  `select last.marketplace as platform, last.received_at as last_at
from (
  select distinct on (marketplace) marketplace, received_at, outcome, resolved_at, via
  from sale_mail
  where user_id = $1 and marketplace is not null and kind = 'sale' and received_at > now() - interval '30 days'
    and (outcome <> 'refused' or reason = 'form')
  order by marketplace, received_at desc, outcome in ('held', 'fetched')
) last
where last.outcome in ('held', 'fetched') and last.resolved_at is null
  and (last.via = 'smtp' or exists (
    select from sale_mailbox mailbox where mailbox.user_id = $1 and mailbox.state <> 'failed'
  ))`,
)

/** Returns since when sale mail is set up, null if it is not, with the last believed mail of each marketplace and how many
 * listings are live where only the seller's browser and mails tell of a sale. */
export const readSaleMail = statement<{ user_id: number; api_platforms: readonly (string | null)[] }, { platform: PlatformSlug; since: string | null; last_at: string | null; live: number }>(
  'integrations/sale-sight/readSaleMail',
  ['user_id', 'api_platforms'],
  `with ways as (
  select used_at as at from sale_mail_address where user_id = $1
  union all
  select created_at from sale_mailbox where user_id = $1
), last as (
  select marketplace as platform, max(received_at) as at
  from sale_mail
  where user_id = $1 and marketplace is not null and outcome <> 'refused'
  group by marketplace
), live as (
  select listing.platform, count(*)::integer as count
  from channel_listing listing
  where listing.user_id = $1 and listing.platform <> all($2::text[])
    and listing.state in ('available', 'reserved')
  group by listing.platform
)
select coalesce(last.platform, live.platform) as platform, (select min(at) from ways) as since, last.at as last_at,
  coalesce(live.count, 0) as live
from last
full join live on live.platform = last.platform`,
)
