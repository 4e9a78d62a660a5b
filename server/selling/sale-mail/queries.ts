// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'
import type { SaleMailMessage } from '#shared/contract/selling/sale-mail.ts'
import type { Availability } from '#shared/item/inventory-record.ts'
import type { PlatformSlug } from '#shared/platforms.ts'

/** Adds an address with the token of a new link. An address that is proved already stays proved. */
export const addRecipient = statement<{ user_id: number; email: string; token_hash: Buffer; expires_in: number }, { email: string; verified_at: string | null }>(
  'selling/sale-mail/addRecipient',
  ['user_id', 'email', 'token_hash', 'expires_in'],
  `insert into sale_mail_recipient (user_id, email, token_hash, expires_at)
values ($1, $2, $3, now() + $4 * interval '1 second')
on conflict (user_id, email) do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at
returning email, verified_at`,
)

/** Claims the mailbox of a user, under a lease, unless another worker has taken it since. */
export const claimMailbox = statement<{ user_id: number; lease_seconds: number }, { user_id: number; host: string; port: number; tls: 'implicit' | 'starttls' | 'none'; user: string; folder: string; encrypted_password: Buffer; uid_validity: string | null; last_uid: number | null; failures: number; lease_epoch: number }>(
  'selling/sale-mail/claimMailbox',
  ['user_id', 'lease_seconds'],
  `with free as materialized (
  select user_id
  from sale_mailbox
  where user_id = $1 and next_try_at <= now() and (lease_until is null or lease_until < now())
  for update skip locked
)
update sale_mailbox mailbox set
  lease_epoch = mailbox.lease_epoch + 1, lease_until = now() + $2 * interval '1 second'
from free
where mailbox.user_id = $1
returning mailbox.user_id, mailbox.host, mailbox.port, mailbox.tls, mailbox.username as user, mailbox.folder,
  mailbox.encrypted_password, mailbox.uid_validity, mailbox.last_uid, mailbox.failures, mailbox.lease_epoch`,
)

/** Adds the seconds that a mail takes to those that an account has used of its day, which go by with the time. Returns the end
 * of them and how far it is ahead, in seconds. */
export const countMail = statement<{ subject: string; seconds: number }, { ends_at: number; ahead: number }>(
  'selling/sale-mail/countMail',
  ['subject', 'seconds'],
  `insert into request_count as known (subject, count, ends_at)
values ($1, 1, now() + $2::float8 * interval '1 second')
on conflict (subject) do update set
  count = known.count + 1, ends_at = greatest(known.ends_at, now()) + $2::float8 * interval '1 second'
returning extract(epoch from ends_at)::float8 as ends_at, extract(epoch from ends_at - now())::float8 as ahead`,
)

/** Counts the decided mails of a user with an outcome. */
export const countMails = statement<{ user_id: number; outcome: string | null; uid: string | null }, { count: number }>(
  'selling/sale-mail/countMails',
  ['user_id', 'outcome', 'uid'],
  `select count(*)::integer as count
from sale_mail
where user_id = $1 and outcome is not null and ($2::text is null or outcome = $2)
  and ($3::text is null or uid = $3)`,
)

/** Counts the addresses of a user. */
export const countRecipients = statement<{ user_id: number }, { count: number }>(
  'selling/sale-mail/countRecipients',
  ['user_id'],
  `select count(*)::integer as count from sale_mail_recipient where user_id = $1`,
)

/** Writes what a waiting mail did. A refused mail itself is kept only where it may be decided again, or asks the seller. */
export const decideMail = statement<{ outcome: string; reason: string | null; kind: string; marketplace: string | null; title: string | null; price_minor: number | string | null; currency: string | null; order_id: string | null; listing_id: string | null; lines_hash: string | null; item_uids: readonly (string | null)[]; listing_ids: readonly (string | null)[]; confirmation: unknown; sent_at: string | Date | null; user_id: number; uid: string }, void>(
  'selling/sale-mail/decideMail',
  ['outcome', 'reason', 'kind', 'marketplace', 'title', 'price_minor', 'currency', 'order_id', 'listing_id', 'lines_hash', 'item_uids', 'listing_ids', 'confirmation', 'sent_at', 'user_id', 'uid'],
  `update sale_mail set
  encrypted_mail = case when $1 <> 'refused' or $2 in ('replayed', 'form') then encrypted_mail end,
  outcome = $1, reason = $2, kind = $3, marketplace = $4, title = $5,
  price_minor = $6, currency = $7, order_id = $8, listing_id = $9,
  lines_hash = $10, item_uids = $11,
  listing_ids = $12, confirmation = $13::jsonb, sent_at = $14
where user_id = $15 and uid = $16 and outcome is null`,
)

/** Forgets a mailbox. Its worker loses the lease with the row. */
export const deleteMailbox = statement<{ user_id: number }, { user_id: number }>(
  'selling/sale-mail/deleteMailbox',
  ['user_id'],
  `delete from sale_mailbox where user_id = $1
returning user_id`,
)

/** Removes an address. No row if the user does not have it. */
export const deleteRecipient = statement<{ user_id: number; email: string }, { email: string }>(
  'selling/sale-mail/deleteRecipient',
  ['user_id', 'email'],
  `delete from sale_mail_recipient where user_id = $1 and email = $2
returning email`,
)

/** Takes an address from other accounts that had proved it, and returns those, also one whose own address it is. */
export const dropProofs = statement<{ email: string; user_id: number }, { user_id: number }>(
  'selling/sale-mail/dropProofs',
  ['email', 'user_id'],
  `with dropped as (
  delete from sale_mail_recipient where email = $1 and user_id <> $2 and verified_at is not null
  returning user_id
)
select user_id as user_id from dropped
union
select id from app_user where lower(email) = $1 and email_verified and id <> $2`,
)

/** Records a failure and when the mailbox is tried again. */
export const failMailbox = statement<{ last_error: string; after_seconds: number; user_id: number; lease_epoch: number }, void>(
  'selling/sale-mail/failMailbox',
  ['last_error', 'after_seconds', 'user_id', 'lease_epoch'],
  `update sale_mailbox set
  state = 'failed', last_error = $1, failures = failures + 1, lease_until = null,
  next_try_at = now() + $2 * interval '1 second'
where user_id = $3 and lease_epoch = $4`,
)

/** Returns the encrypted address of a user. */
export const findAddress = statement<{ user_id: number }, { encrypted_address: Buffer }>(
  'selling/sale-mail/findAddress',
  ['user_id'],
  `select encrypted_address from sale_mail_address where user_id = $1`,
)

/** Returns the open account of an address by its hash. */
export const findByAddress = statement<{ address_hash: Buffer }, { user_id: number }>(
  'selling/sale-mail/findByAddress',
  ['address_hash'],
  `select address.user_id
from sale_mail_address address
join app_user on app_user.id = address.user_id and app_user.state = 'active'
where address.address_hash = $1`,
)

/** Returns believed mails of a marketplace about the same order of the last 30 days before an arrival, the oldest first.
 * Without an order's id they are about the same listing, or the same title. `is_same`: its title and, where both tell them,
 * price, listing and lines of a bundle are the same. `item_uids`: the items that it holds. Also returns when a reading freed the listing of such a sale (`freed`). */
export const findEarlier = statement<{ title: string | null; price_minor: number | string | null; currency: string | null; listing_id: string | null; lines_hash: string | null; user_id: number; marketplace: string | null; uid: string; received_at: string | Date; order_id: string | null }, { uid: string | null; kind: 'sale' | 'cancellation' | 'freed'; sent_at: string; is_same: boolean; item_uids: string[] }>(
  'selling/sale-mail/findEarlier',
  ['title', 'price_minor', 'currency', 'listing_id', 'lines_hash', 'user_id', 'marketplace', 'uid', 'received_at', 'order_id'],
  `with mails as (
  select uid, kind, coalesce(sent_at, received_at) as sent_at, listing_ids,
    case when outcome = 'held' then item_uids else '{}' end as item_uids,
    lower(title) is not distinct from lower($1)
      and coalesce(price_minor = $2::bigint and currency = $3, true)
      and coalesce(listing_id = $4, true)
      and coalesce(lines_hash = $5, true) as is_same
  from sale_mail
  where user_id = $6 and marketplace = $7 and uid <> $8 and kind in ('sale', 'cancellation')
    and outcome <> 'refused'
    and received_at > $9::timestamptz - interval '30 days'
    and case
      when $10::text is not null then order_id = $10
      when $4::text is not null then listing_id = $4
        or kind = 'cancellation' and listing_id is null and lower(title) = lower($1)
      else order_id is null and lower(title) = lower($1)
    end
)
select uid, kind as kind, sent_at as sent_at, is_same as is_same, item_uids as item_uids from mails
union all
select mails.uid, 'freed', line.modified_at, true, '{}'
from mails
join marketplace_order ordered on ordered.user_id = $6 and ordered.platform = $7
  and ordered.external_order_id in (select 'listing-' || listing_id from unnest(mails.listing_ids) listing_id)
join order_line line on line.user_id = ordered.user_id and line.order_uid = ordered.uid and line.state = 'cancelled'
where mails.kind = 'sale'
order by 3, 1`,
)

/** Returns the listings that sale mails of a marketplace hold, by their order or, without one, by their title, each with its
 * newest mail. `is_claimed`: its sale stands. `is_told_by_another`: a mail of another order, which was not canceled, names
 * it or asks about it. */
export const findHeld = statement<{ user_id: number; marketplace: string; order_id: string | null; title: string | null }, { listing_id: string; seller_account_uid: string; item_uid: string; price_minor: number; currency: string; sale_uid: string; is_claimed: boolean; is_told_by_another: boolean }>(
  'selling/sale-mail/findHeld',
  ['user_id', 'marketplace', 'order_id', 'title'],
  `select distinct on (listing.listing_id) listing.listing_id, listing.seller_account_uid, listing.item_uid,
  listing.price_minor, listing.currency, mail.uid as sale_uid,
  exists (
    select from marketplace_order seen
    join order_line line on line.user_id = seen.user_id and line.order_uid = seen.uid
    where seen.user_id = $1 and seen.platform = $2
      and seen.external_order_id = 'listing-' || listing.listing_id and line.state in ('held', 'sold', 'oversell')
  ) as is_claimed,
  exists (
    select from sale_mail other
    where other.user_id = $1 and other.marketplace = $2 and other.kind = 'sale'
      and other.received_at > now() - interval '90 days'
      and (
        other.outcome = 'held' and listing.listing_id = any(other.listing_ids)
        or other.outcome = 'ambiguous' and listing.item_uid = any(other.item_uids)
      )
      and case when $3::text is not null then other.order_id is distinct from $3
        else other.outcome = 'ambiguous' or lower(other.title) is distinct from lower($4) end
      and not exists (
        select from sale_mail ended
        where ended.user_id = $1 and ended.marketplace = $2 and ended.kind = 'cancellation'
          and ended.outcome <> 'refused' and ended.order_id = other.order_id
      )
  ) as is_told_by_another
from sale_mail mail
join channel_listing listing on listing.user_id = mail.user_id and listing.platform = mail.marketplace
  and listing.listing_id = any(mail.listing_ids)
where mail.user_id = $1 and mail.marketplace = $2 and mail.kind = 'sale' and mail.outcome = 'held'
  and mail.received_at > now() - interval '90 days'
  and case when $3::text is not null then mail.order_id = $3 else lower(mail.title) = lower($4) end
order by listing.listing_id, mail.received_at desc`,
)

/** Returns the address of a link that works. */
export const findLink = statement<{ user_id: number; token_hash: Buffer }, { email: string }>(
  'selling/sale-mail/findLink',
  ['user_id', 'token_hash'],
  `select email from sale_mail_recipient
where user_id = $1 and token_hash = $2 and expires_at > now()`,
)

/** Returns the live listing of an item on a marketplace. */
export const findListingOfItem = statement<{ user_id: number; item_uid: string; platform: string }, { listing_id: string; seller_account_uid: string; item_uid: string; price_minor: number; currency: string }>(
  'selling/sale-mail/findListingOfItem',
  ['user_id', 'item_uid', 'platform'],
  `select listing_id, seller_account_uid, item_uid, price_minor, currency
from channel_listing
where user_id = $1 and item_uid = $2 and platform = $3 and state in ('available', 'reserved', 'sold')
order by state, listing_id
limit 1`,
)

/** Returns a decided mail with the seller's answer, if there is one. */
export const findMail = statement<{ user_id: number; uid: string }, { uid: string; outcome: SaleMailMessage['outcome']; reason: 'signature' | 'sender' | 'form' | 'recipient' | 'forwarded' | 'replayed' | 'too_old' | 'malformed' | 'not_connected' | null; kind: 'sale' | 'cancellation' | 'other'; marketplace: SaleMailMessage['marketplace'] | null; price_minor: number | null; currency: string | null; item_uids: string[]; resolved_at: string | null; sent_at: string; received_at: string }>(
  'selling/sale-mail/findMail',
  ['user_id', 'uid'],
  `select uid, outcome as outcome, reason, kind, marketplace, price_minor, currency, item_uids, resolved_at,
  coalesce(sent_at, received_at) as sent_at, received_at
from sale_mail
where user_id = $1 and uid = $2 and outcome is not null`,
)

/** Returns a row if the seller named this item for the mail before, and undid it. */
export const findUndoneAnswer = statement<{ user_id: number; item_uid: string; uid: string }, { found: number | null }>(
  'selling/sale-mail/findUndoneAnswer',
  ['user_id', 'item_uid', 'uid'],
  `select 1 as found
from undo_step
where user_id = $1 and subject_uid = $2 and after ->> 'reference' = $3 and undone_at is not null
limit 1`,
)

/** Returns a mail that is not decided yet. */
export const findWaiting = statement<{ user_id: number; uid: string }, { encrypted_mail: Buffer; size: number; received_at: string }>(
  'selling/sale-mail/findWaiting',
  ['user_id', 'uid'],
  `select encrypted_mail as encrypted_mail, size, received_at
from sale_mail
where user_id = $1 and uid = $2 and outcome is null`,
)

/** Removes sale mails themselves after seven days. Their outcome stays. */
export const forgetRawMail = statement<{ limit: number | string }, void>(
  'selling/sale-mail/forgetRawMail',
  ['limit'],
  `update sale_mail set encrypted_mail = null where (user_id, uid) in (
  select user_id, uid from sale_mail
  where encrypted_mail is not null and received_at < now() - interval '7 days'
  limit $1
)`,
)

/** Gives a user an address in place of the one before. */
export const insertAddress = statement<{ user_id: number; address_hash: Buffer; encrypted_address: Buffer }, void>(
  'selling/sale-mail/insertAddress',
  ['user_id', 'address_hash', 'encrypted_address'],
  `insert into sale_mail_address (user_id, address_hash, encrypted_address)
values ($1, $2, $3)
on conflict (user_id) do update set
  address_hash = excluded.address_hash, encrypted_address = excluded.encrypted_address,
  created_at = excluded.created_at, used_at = null`,
)

/** Gives a user an address, unless there is one. */
export const insertAddressOnce = statement<{ user_id: number; address_hash: Buffer; encrypted_address: Buffer }, void>(
  'selling/sale-mail/insertAddressOnce',
  ['user_id', 'address_hash', 'encrypted_address'],
  `insert into sale_mail_address (user_id, address_hash, encrypted_address)
values ($1, $2, $3)
on conflict (user_id) do nothing`,
)

/** Stores a mail before it is accepted. The first one by SMTP shows that the seller forwards to the address. Returns how many
 * of the twenty mails before were refused. */
export const insertMail = statement<{ user_id: number; via: string; uid: string; encrypted_mail: Buffer; size: number }, { refused: number }>(
  'selling/sale-mail/insertMail',
  ['user_id', 'via', 'uid', 'encrypted_mail', 'size'],
  `with forwarded as (
  update sale_mail_address set used_at = now() where user_id = $1 and used_at is null and $2 = 'smtp'
)
insert into sale_mail (user_id, uid, via, encrypted_mail, size)
values ($1, $3, $2, $4, $5)
returning (
  select count(*) filter (where outcome = 'refused')::integer
  from (select outcome from sale_mail where user_id = $1 order by received_at desc, uid desc limit 20) before
) as refused`,
)

/** Inserts a line of a bundle that nobody could name, once. */
export const insertPart = statement<{ part_uid: string; outcome: string; title: string | null; price_minor: number | string | null; currency: string | null; item_uids: readonly (string | null)[]; user_id: number; uid: string }, void>(
  'selling/sale-mail/insertPart',
  ['part_uid', 'outcome', 'title', 'price_minor', 'currency', 'item_uids', 'user_id', 'uid'],
  `insert into sale_mail (user_id, uid, via, size, received_at, sent_at, outcome, kind, marketplace, title, price_minor, currency,
  order_id, item_uids)
select mail.user_id, $1, mail.via, 0, mail.received_at, mail.sent_at, $2, 'sale', mail.marketplace, $3,
  $4, $5, mail.order_id, $6
from sale_mail mail
where mail.user_id = $7 and mail.uid = $8
on conflict do nothing`,
)

/** Lists the users of mailboxes that are due, the longest unread first; those that fail come after all others. */
export const listDueMailboxes = statement<{ count: number | string }, { user_id: number }>(
  'selling/sale-mail/listDueMailboxes',
  ['count'],
  `select mailbox.user_id
from sale_mailbox mailbox
join app_user on app_user.id = mailbox.user_id and app_user.state = 'active'
where mailbox.next_try_at <= now() and (mailbox.lease_until is null or mailbox.lease_until < now())
order by mailbox.failures > 0, mailbox.checked_at nulls first, mailbox.next_try_at
limit $1`,
)

/** Returns items that mails name, with where each is live. */
export const listItems = statement<{ user_id: number; uids: readonly (string | null)[] }, { inventory_item_uid: string; title: string; image: string | null; price_minor: number; currency: string; state: Availability; live_on: PlatformSlug[] }>(
  'selling/sale-mail/listItems',
  ['user_id', 'uids'],
  `select item.uid as inventory_item_uid, left(item.title, 300) as title, item.images[1] as image, item.price_minor, item.currency, item.state,
  array(
    select listing.platform from channel_listing listing
    where listing.user_id = $1 and listing.item_uid = item.uid and listing.state in ('available', 'reserved')
    group by listing.platform order by min(listing.created_at), listing.platform
  ) as live_on
from inventory_item item
where item.user_id = $1 and item.uid = any($2::text[])`,
)

/** Returns when a mail of each marketplace was last believed. */
export const listLastMails = statement<{ user_id: number }, { marketplace: string; last_mail_at: string }>(
  'selling/sale-mail/listLastMails',
  ['user_id'],
  `select marketplace as marketplace, max(received_at) as last_mail_at
from sale_mail
where user_id = $1 and marketplace is not null and outcome <> 'refused'
group by marketplace`,
)

/** Returns a page of decided mails, newest first; one of them by its uid. */
export const listMails = statement<{ user_id: number; outcome: string | null; uid: string | null; limit: number | string; offset: number | string }, { uid: string; marketplace: SaleMailMessage['marketplace'] | null; kind: 'sale' | 'cancellation' | 'other'; outcome: SaleMailMessage['outcome']; reason: 'signature' | 'sender' | 'form' | 'recipient' | 'forwarded' | 'replayed' | 'too_old' | 'malformed' | 'not_connected' | null; title: string | null; price_minor: number | null; currency: string | null; order_id: string | null; item_uids: string[]; received_at: string; confirmation: { code: string; link: string | null } | null | null }>(
  'selling/sale-mail/listMails',
  ['user_id', 'outcome', 'uid', 'limit', 'offset'],
  `select uid, marketplace, kind, outcome as outcome, reason, title, price_minor, currency, order_id, item_uids, received_at,
  confirmation
from sale_mail
where user_id = $1 and outcome is not null and ($2::text is null or outcome = $2)
  and ($3::text is null or uid = $3)
order by received_at desc, uid desc
limit $4 offset $5`,
)

/** Returns the newest accounts with an address, each with up to three items that it offers, first those that are live where
 * only mails tell sales, for the page of the sandbox. */
export const listNewestAccounts = statement<{ limit: number | string }, { user_id: number; email: string; title: string | null; price_minor: number | null; currency: string | null; size: string | null; sku: string | null; platform: PlatformSlug }>(
  'selling/sale-mail/listNewestAccounts',
  ['limit'],
  `select u.id as user_id, u.email as email, i.title as title, i.price_minor as price_minor, i.currency as currency,
  i.attributes ->> 'size' as size, i.sku as sku, coalesce(i.platform, 'poshmark') as platform
from (
  select id, email from app_user where state = 'active' and email is not null order by id desc limit $1
) u
left join lateral (
  select title, price_minor, currency, attributes, sku, live.platform from inventory_item
  left join lateral (
    select platform from channel_listing listing
    where listing.user_id = u.id and listing.item_uid = inventory_item.uid and listing.state = 'available'
      and listing.platform in ('poshmark', 'mercari', 'depop')
    limit 1
  ) live on true
  where user_id = u.id and state = 'available' and redirect_uid is null
  order by live.platform is null, uid desc
  limit 3
) i on true
order by u.id desc`,
)

/** Returns the addresses to which a user's marketplaces may write: the account's own once it is verified, unless another
 * account proved it later, and those that were confirmed. */
export const listProvedAddresses = statement<{ user_id: number }, { email: string }>(
  'selling/sale-mail/listProvedAddresses',
  ['user_id'],
  `select email as email from sale_mail_recipient where user_id = $1 and verified_at is not null
union
select lower(app_user.email) from app_user
where app_user.id = $1 and app_user.email_verified and app_user.email is not null
  and not exists (
    select from sale_mail_recipient other
    where other.email = lower(app_user.email) and other.user_id <> app_user.id and other.verified_at is not null
  )`,
)

/** Returns the addresses of a user, the account's own first. */
export const listRecipients = statement<{ user_id: number }, { email: string; verified_at: string | null; place: number }>(
  'selling/sale-mail/listRecipients',
  ['user_id'],
  `select lower(app_user.email) as email,
  case when app_user.email_verified and not exists (
    select from sale_mail_recipient other
    where other.email = lower(app_user.email) and other.user_id <> app_user.id and other.verified_at is not null
  ) then coalesce(app_user.secured_at, app_user.created_at) end as verified_at, 0 as place
from app_user
where app_user.id = $1 and app_user.email is not null
  and not exists (
    select from sale_mail_recipient own
    where own.user_id = app_user.id and own.email = lower(app_user.email) and own.verified_at is not null
  )
union all
select recipient.email, recipient.verified_at, 1
from sale_mail_recipient recipient
join app_user on app_user.id = recipient.user_id
where recipient.user_id = $1
  and (recipient.verified_at is not null or recipient.email <> coalesce(lower(app_user.email), ''))
order by 3, 1`,
)

/** Has decisions about a user's mails take turns until the transaction ends. */
export const lockMails = statement<{ user_id: number }, { pg_advisory_xact_lock: unknown }>(
  'selling/sale-mail/lockMails',
  ['user_id'],
  `select pg_advisory_xact_lock(4803, $1)`,
)

/** Records that a folder was read to its end. Returns when the account's last sale mail came by IMAP. No row if the lease is
 * lost. */
export const markMailboxRead = statement<{ user_id: number; lease_epoch: number }, { last_sale_at: string | null }>(
  'selling/sale-mail/markMailboxRead',
  ['user_id', 'lease_epoch'],
  `update sale_mailbox set state = 'waiting', last_error = null, failures = 0, checked_at = now()
where user_id = $1 and lease_epoch = $2 and lease_until is not null
returning (
  select max(mail.received_at) from sale_mail mail
  where mail.user_id = $1 and mail.via = 'imap' and mail.kind <> 'other' and mail.outcome <> 'refused'
    and mail.received_at > now() - interval '90 days'
) as last_sale_at`,
)

/** Stores the place in a folder. No row if the lease is lost. */
export const moveMailbox = statement<{ uid_validity: string; last_uid: number | string; user_id: number; lease_epoch: number }, { user_id: number }>(
  'selling/sale-mail/moveMailbox',
  ['uid_validity', 'last_uid', 'user_id', 'lease_epoch'],
  `update sale_mailbox set uid_validity = $1, last_uid = $2
where user_id = $3 and lease_epoch = $4 and lease_until is not null
returning user_id`,
)

/** Uses a link: the address counts for this account. No row for a wrong, used or expired one. */
export const proveRecipient = statement<{ user_id: number; token_hash: Buffer }, { email: string; verified_at: string | null }>(
  'selling/sale-mail/proveRecipient',
  ['user_id', 'token_hash'],
  `update sale_mail_recipient set verified_at = now(), token_hash = null, expires_at = null
where user_id = $1 and token_hash = $2 and expires_at > now()
returning email, verified_at`,
)

/** Deletes mails that were no sale after seven days, others after 90. */
export const purgeSaleMail = statement<{ limit: number | string }, void>(
  'selling/sale-mail/purgeSaleMail',
  ['limit'],
  `delete from sale_mail where (user_id, uid) in (
  select user_id, uid from sale_mail
  where received_at < now() - interval '90 days'
    or received_at < now() - interval '7 days' and outcome = 'ignored' and kind = 'other'
  limit $1
)`,
)

/** Returns a mailbox as its owner sees it. */
export const readMailbox = statement<{ user_id: number }, { host: string; port: number; user: string; folder: string; state: 'connecting' | 'waiting' | 'failed'; last_error: string | null; checked_at: string | null }>(
  'selling/sale-mail/readMailbox',
  ['user_id'],
  `select host, port, username as user, folder, state, last_error, checked_at
from sale_mailbox where user_id = $1`,
)

/** Returns the seconds until the count of an account or a network ends; less than nothing afterwards. */
export const readMailQuota = statement<{ subject: string }, { ahead: number }>(
  'selling/sale-mail/readMailQuota',
  ['subject'],
  `select extract(epoch from ends_at - now())::float8 as ahead from request_count where subject = $1`,
)

/** Returns the time since the last reading of the mailbox that waits longest, of those that do not fail. */
export const readMailboxAge = statement<object, { seconds: number | null }>(
  'selling/sale-mail/readMailboxAge',
  [],
  `select extract(epoch from now() - min(coalesce(mailbox.checked_at, mailbox.created_at)))::float as seconds
from sale_mailbox mailbox
join app_user on app_user.id = mailbox.user_id and app_user.state = 'active'
where mailbox.failures = 0`,
)

/** Returns the address of an account that can be written to. */
export const readPublicEmail = statement<{ user_id: number }, { email: string | null }>(
  'selling/sale-mail/readPublicEmail',
  ['user_id'],
  `select email from app_user where id = $1 and state = 'active' and email is not null`,
)

/** Returns whether an account has proved an address or a phone number of its own. */
export const readVerified = statement<{ user_id: number }, { is_verified: boolean }>(
  'selling/sale-mail/readVerified',
  ['user_id'],
  `select email_verified or phone_verified as is_verified from app_user where id = $1`,
)

/** Remembers a network for a month, and writes at most once a day. */
export const rememberSender = statement<{ subject: string }, void>(
  'selling/sale-mail/rememberSender',
  ['subject'],
  `insert into request_count as known (subject, count, ends_at)
values ($1, 1, now() + interval '30 days')
on conflict (subject) do update set ends_at = excluded.ends_at where known.ends_at < now() + interval '29 days'`,
)

/** Removes the address and the mailbox of a closed account. */
export const removeWaysIn = statement<{ user_id: number }, void>(
  'selling/sale-mail/removeWaysIn',
  ['user_id'],
  `with addresses as (
  delete from sale_mail_address where user_id = $1
)
delete from sale_mailbox where user_id = $1`,
)

/** Extends a lease. No row if it is lost. */
export const renewMailbox = statement<{ lease_seconds: number; user_id: number; lease_epoch: number }, { user_id: number }>(
  'selling/sale-mail/renewMailbox',
  ['lease_seconds', 'user_id', 'lease_epoch'],
  `update sale_mailbox set lease_until = now() + $1 * interval '1 second'
where user_id = $2 and lease_epoch = $3 and lease_until is not null
returning user_id`,
)

/** Has sales decided again that were taken for copies, and were written after a cancellation. Their time must be signed: else
 * it is the arrival, and a copy of the first mail arrives later, too. */
export const reopenCopies = statement<{ user_id: number; marketplace: string; title: string | null; sent_at: string | Date }, { uid: string }>(
  'selling/sale-mail/reopenCopies',
  ['user_id', 'marketplace', 'title', 'sent_at'],
  `update sale_mail set outcome = null, reason = null
where user_id = $1 and marketplace = $2 and kind = 'sale' and reason = 'replayed' and order_id is null
  and lower(title) = lower($3) and sent_at > $4::timestamptz and sent_at < received_at
  and encrypted_mail is not null
returning uid`,
)

/** Takes back the seller's answer to a mail. */
export const reopenMail = statement<{ outcome: string; reason: string | null; item_uids: readonly (string | null)[]; user_id: number; uid: string }, void>(
  'selling/sale-mail/reopenMail',
  ['outcome', 'reason', 'item_uids', 'user_id', 'uid'],
  `update sale_mail set outcome = $1, reason = $2, item_uids = $3, listing_ids = '{}', resolved_at = null
where user_id = $4 and uid = $5`,
)

/** Writes the seller's answer to a mail that asks for one. */
export const resolveMail = statement<{ outcome: string; item_uids: readonly (string | null)[]; listing_ids: readonly (string | null)[]; user_id: number; uid: string }, void>(
  'selling/sale-mail/resolveMail',
  ['outcome', 'item_uids', 'listing_ids', 'user_id', 'uid'],
  `update sale_mail set outcome = $1, reason = null, item_uids = $2, listing_ids = $3, resolved_at = now()
where user_id = $4 and uid = $5 and resolved_at is null`,
)

/** Gives a mailbox back, to be read again so long after its last reading. */
export const restMailbox = statement<{ rest_seconds: number; user_id: number; lease_epoch: number }, void>(
  'selling/sale-mail/restMailbox',
  ['rest_seconds', 'user_id', 'lease_epoch'],
  `update sale_mailbox set
  lease_until = null, next_try_at = coalesce(checked_at, now()) + $1 * interval '1 second'
where user_id = $2 and lease_epoch = $3 and lease_until is not null`,
)

/** Stores a mailbox. The worker of the one before loses its lease, and notices at its next beat: until then no other
 * connects. */
export const saveMailbox = statement<{ user_id: number; host: string; port: number; tls: string; username: string; encrypted_password: Buffer; folder: string; notice_ms: number }, void>(
  'selling/sale-mail/saveMailbox',
  ['user_id', 'host', 'port', 'tls', 'username', 'encrypted_password', 'folder', 'notice_ms'],
  `insert into sale_mailbox (user_id, host, port, tls, username, encrypted_password, folder, lease_until)
select $1, $2, $3, $4, $5, $6, $7,
  case when max(before.lease_until) > now() then now() + $8 * interval '1 millisecond' end
from sale_mailbox before
where before.user_id = $1
on conflict (user_id) do update set
  host = excluded.host, port = excluded.port, tls = excluded.tls, username = excluded.username,
  encrypted_password = excluded.encrypted_password, folder = excluded.folder, state = 'connecting', last_error = null,
  checked_at = null, failures = 0, next_try_at = excluded.next_try_at, lease_epoch = sale_mailbox.lease_epoch + 1,
  lease_until = excluded.lease_until,
  uid_validity = case when (sale_mailbox.host, sale_mailbox.username, sale_mailbox.folder)
    = (excluded.host, excluded.username, excluded.folder) then sale_mailbox.uid_validity end,
  last_uid = case when (sale_mailbox.host, sale_mailbox.username, sale_mailbox.folder)
    = (excluded.host, excluded.username, excluded.folder) then sale_mailbox.last_uid end`,
)
