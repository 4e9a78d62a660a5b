-- import type { SaleMailMessage } from '#shared/contract/selling/sale-mail.ts'
-- import type { Availability } from '#shared/item/inventory-record.ts'
-- import type { PlatformSlug } from '#shared/platforms.ts'

-- name: addRecipient
-- Adds an address with the token of a new link. An address that is proved already stays proved.
insert into sale_mail_recipient (user_id, email, token_hash, expires_at)
values (:user_id, :email, :token_hash, now() + :expires_in * interval '1 second')
on conflict (user_id, email) do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at
returning email, verified_at

-- name: claimMailbox
-- Claims the mailbox of a user, under a lease, unless another worker has taken it since.
with free as materialized (
  select user_id
  from sale_mailbox
  where user_id = :user_id and next_try_at <= now() and (lease_until is null or lease_until < now())
  for update skip locked
)
update sale_mailbox mailbox set
  lease_epoch = mailbox.lease_epoch + 1, lease_until = now() + :lease_seconds * interval '1 second'
from free
where mailbox.user_id = :user_id
returning mailbox.user_id, mailbox.host, mailbox.port, mailbox.tls, mailbox.username as "user!", mailbox.folder,
  mailbox.encrypted_password, mailbox.uid_validity, mailbox.last_uid, mailbox.failures, mailbox.lease_epoch

-- name: countMail
-- Adds the seconds that a mail takes to those that an account has used of its day, which go by with the time. Returns the end
-- of them and how far it is ahead, in seconds.
insert into request_count as known (subject, count, ends_at)
values (:subject, 1, now() + :seconds::float8 * interval '1 second')
on conflict (subject) do update set
  count = known.count + 1, ends_at = greatest(known.ends_at, now()) + :seconds::float8 * interval '1 second'
returning extract(epoch from ends_at)::float8 as "ends_at!", extract(epoch from ends_at - now())::float8 as "ahead!"

-- name: countMails
-- Counts the decided mails of a user with an outcome.
select count(*)::integer as "count!"
from sale_mail
where user_id = :user_id and outcome is not null and (:outcome?::text is null or outcome = :outcome)
  and (:uid?::text is null or uid = :uid)

-- name: countRecipients
-- Counts the addresses of a user.
select count(*)::integer as "count!" from sale_mail_recipient where user_id = :user_id

-- name: decideMail
-- Writes what a waiting mail did. A refused mail itself is kept only where it may be decided again, or asks the seller.
update sale_mail set
  encrypted_mail = case when :outcome <> 'refused' or :reason? in ('replayed', 'form') then encrypted_mail end,
  outcome = :outcome, reason = :reason, kind = :kind, marketplace = :marketplace?, title = :title?,
  price_minor = :price_minor?, currency = :currency?, order_id = :order_id?, listing_id = :listing_id?,
  lines_hash = :lines_hash?, item_uids = :item_uids,
  listing_ids = :listing_ids, confirmation = :confirmation::jsonb, sent_at = :sent_at?
where user_id = :user_id and uid = :uid and outcome is null

-- name: deleteMailbox
-- Forgets a mailbox. Its worker loses the lease with the row.
delete from sale_mailbox where user_id = :user_id
returning user_id

-- name: deleteRecipient
-- Removes an address. No row if the user does not have it.
delete from sale_mail_recipient where user_id = :user_id and email = :email
returning email

-- name: dropProofs
-- Takes an address from other accounts that had proved it, and returns those, also one whose own address it is.
with dropped as (
  delete from sale_mail_recipient where email = :email and user_id <> :user_id and verified_at is not null
  returning user_id
)
select user_id as "user_id!" from dropped
union
select id from app_user where lower(email) = :email and email_verified and id <> :user_id

-- name: failMailbox
-- Records a failure and when the mailbox is tried again.
update sale_mailbox set
  state = 'failed', last_error = :last_error, failures = failures + 1, lease_until = null,
  next_try_at = now() + :after_seconds * interval '1 second'
where user_id = :user_id and lease_epoch = :lease_epoch

-- name: findAddress
-- Returns the encrypted address of a user.
select encrypted_address from sale_mail_address where user_id = :user_id

-- name: findByAddress
-- Returns the open account of an address by its hash.
select address.user_id
from sale_mail_address address
join app_user on app_user.id = address.user_id and app_user.state = 'active'
where address.address_hash = :address_hash

-- name: findEarlier
-- type kind: 'sale' | 'cancellation' | 'freed'
-- Returns believed mails of a marketplace about the same order of the last 30 days before an arrival, the oldest first.
-- Without an order's id they are about the same listing, or the same title. `is_same`: its title and, where both tell them,
-- price, listing and lines of a bundle are the same. `item_uids`: the items that it holds. Also returns when a reading freed the listing of such a sale (`freed`).
with mails as (
  select uid, kind, coalesce(sent_at, received_at) as sent_at, listing_ids,
    case when outcome = 'held' then item_uids else '{}' end as item_uids,
    lower(title) is not distinct from lower(:title?)
      and coalesce(price_minor = :price_minor?::bigint and currency = :currency?, true)
      and coalesce(listing_id = :listing_id?, true)
      and coalesce(lines_hash = :lines_hash?, true) as is_same
  from sale_mail
  where user_id = :user_id and marketplace = :marketplace? and uid <> :uid and kind in ('sale', 'cancellation')
    and outcome <> 'refused'
    and received_at > :received_at::timestamptz - interval '30 days'
    and case
      when :order_id?::text is not null then order_id = :order_id
      when :listing_id::text is not null then listing_id = :listing_id
        or kind = 'cancellation' and listing_id is null and lower(title) = lower(:title)
      else order_id is null and lower(title) = lower(:title)
    end
)
select uid, kind as "kind!", sent_at as "sent_at!", is_same as "is_same!", item_uids as "item_uids!" from mails
union all
select mails.uid, 'freed', line.modified_at, true, '{}'
from mails
join marketplace_order ordered on ordered.user_id = :user_id and ordered.platform = :marketplace
  and ordered.external_order_id in (select 'listing-' || listing_id from unnest(mails.listing_ids) listing_id)
join order_line line on line.user_id = ordered.user_id and line.order_uid = ordered.uid and line.state = 'cancelled'
where mails.kind = 'sale'
order by 3, 1

-- name: findHeld
-- Returns the listings that sale mails of a marketplace hold, by their order or, without one, by their title, each with its
-- newest mail. `is_claimed`: its sale stands. `is_told_by_another`: a mail of another order, which was not canceled, names
-- it or asks about it.
select distinct on (listing.listing_id) listing.listing_id, listing.seller_account_uid, listing.item_uid,
  listing.price_minor, listing.currency, mail.uid as sale_uid,
  exists (
    select from marketplace_order seen
    join order_line line on line.user_id = seen.user_id and line.order_uid = seen.uid
    where seen.user_id = :user_id and seen.platform = :marketplace
      and seen.external_order_id = 'listing-' || listing.listing_id and line.state in ('held', 'sold', 'oversell')
  ) as "is_claimed!",
  exists (
    select from sale_mail other
    where other.user_id = :user_id and other.marketplace = :marketplace and other.kind = 'sale'
      and other.received_at > now() - interval '90 days'
      and (
        other.outcome = 'held' and listing.listing_id = any(other.listing_ids)
        or other.outcome = 'ambiguous' and listing.item_uid = any(other.item_uids)
      )
      and case when :order_id?::text is not null then other.order_id is distinct from :order_id
        else other.outcome = 'ambiguous' or lower(other.title) is distinct from lower(:title?) end
      and not exists (
        select from sale_mail ended
        where ended.user_id = :user_id and ended.marketplace = :marketplace and ended.kind = 'cancellation'
          and ended.outcome <> 'refused' and ended.order_id = other.order_id
      )
  ) as "is_told_by_another!"
from sale_mail mail
join channel_listing listing on listing.user_id = mail.user_id and listing.platform = mail.marketplace
  and listing.listing_id = any(mail.listing_ids)
where mail.user_id = :user_id and mail.marketplace = :marketplace and mail.kind = 'sale' and mail.outcome = 'held'
  and mail.received_at > now() - interval '90 days'
  and case when :order_id::text is not null then mail.order_id = :order_id else lower(mail.title) = lower(:title) end
order by listing.listing_id, mail.received_at desc

-- name: findLink
-- Returns the address of a link that works.
select email from sale_mail_recipient
where user_id = :user_id and token_hash = :token_hash and expires_at > now()

-- name: findListingOfItem
-- Returns the live listing of an item on a marketplace.
select listing_id, seller_account_uid, item_uid, price_minor, currency
from channel_listing
where user_id = :user_id and item_uid = :item_uid and platform = :platform and state in ('available', 'reserved', 'sold')
order by state, listing_id
limit 1

-- name: findMail
-- type outcome: SaleMailMessage['outcome']
-- type marketplace: SaleMailMessage['marketplace']
-- Returns a decided mail with the seller's answer, if there is one.
select uid, outcome as "outcome!", reason, kind, marketplace, price_minor, currency, item_uids, resolved_at,
  coalesce(sent_at, received_at) as "sent_at!", received_at
from sale_mail
where user_id = :user_id and uid = :uid and outcome is not null

-- name: findUndoneAnswer
-- Returns a row if the seller named this item for the mail before, and undid it.
select 1 as found
from undo_step
where user_id = :user_id and subject_uid = :item_uid and after ->> 'reference' = :uid and undone_at is not null
limit 1

-- name: findWaiting
-- Returns a mail that is not decided yet.
select encrypted_mail as "encrypted_mail!", size, received_at
from sale_mail
where user_id = :user_id and uid = :uid and outcome is null

-- name: forgetRawMail
-- Removes sale mails themselves after seven days. Their outcome stays.
update sale_mail set encrypted_mail = null where (user_id, uid) in (
  select user_id, uid from sale_mail
  where encrypted_mail is not null and received_at < now() - interval '7 days'
  limit :limit
)

-- name: insertAddress
-- Gives a user an address in place of the one before.
insert into sale_mail_address (user_id, address_hash, encrypted_address)
values (:user_id, :address_hash, :encrypted_address)
on conflict (user_id) do update set
  address_hash = excluded.address_hash, encrypted_address = excluded.encrypted_address,
  created_at = excluded.created_at, used_at = null

-- name: insertAddressOnce
-- Gives a user an address, unless there is one.
insert into sale_mail_address (user_id, address_hash, encrypted_address)
values (:user_id, :address_hash, :encrypted_address)
on conflict (user_id) do nothing

-- name: insertMail
-- Stores a mail before it is accepted. The first one by SMTP shows that the seller forwards to the address. Returns how many
-- of the twenty mails before were refused.
with forwarded as (
  update sale_mail_address set used_at = now() where user_id = :user_id and used_at is null and :via = 'smtp'
)
insert into sale_mail (user_id, uid, via, encrypted_mail, size)
values (:user_id, :uid, :via, :encrypted_mail, :size)
returning (
  select count(*) filter (where outcome = 'refused')::integer
  from (select outcome from sale_mail where user_id = :user_id order by received_at desc, uid desc limit 20) before
) as "refused!"

-- name: insertPart
-- Inserts a line of a bundle that nobody could name, once.
insert into sale_mail (user_id, uid, via, size, received_at, sent_at, outcome, kind, marketplace, title, price_minor, currency,
  order_id, item_uids)
select mail.user_id, :part_uid, mail.via, 0, mail.received_at, mail.sent_at, :outcome, 'sale', mail.marketplace, :title?,
  :price_minor?, :currency?, mail.order_id, :item_uids
from sale_mail mail
where mail.user_id = :user_id and mail.uid = :uid
on conflict do nothing

-- name: listDueMailboxes
-- Lists the users of mailboxes that are due, the longest unread first; those that fail come after all others.
select mailbox.user_id
from sale_mailbox mailbox
join app_user on app_user.id = mailbox.user_id and app_user.state = 'active'
where mailbox.next_try_at <= now() and (mailbox.lease_until is null or mailbox.lease_until < now())
order by mailbox.failures > 0, mailbox.checked_at nulls first, mailbox.next_try_at
limit :count

-- name: listItems
-- type state: Availability
-- type live_on: PlatformSlug[]
-- Returns items that mails name, with where each is live.
select item.uid as inventory_item_uid, left(item.title, 300) as "title!", item.images[1] as image, item.price_minor, item.currency, item.state,
  array(
    select listing.platform from channel_listing listing
    where listing.user_id = :user_id and listing.item_uid = item.uid and listing.state in ('available', 'reserved')
    group by listing.platform order by min(listing.created_at), listing.platform
  ) as "live_on!"
from inventory_item item
where item.user_id = :user_id and item.uid = any(:uids::text[])

-- name: listLastMails
-- Returns when a mail of each marketplace was last believed.
select marketplace as "marketplace!", max(received_at) as "last_mail_at!"
from sale_mail
where user_id = :user_id and marketplace is not null and outcome <> 'refused'
group by marketplace

-- name: listMails
-- type marketplace: SaleMailMessage['marketplace']
-- type outcome: SaleMailMessage['outcome']
-- type confirmation: { code: string; link: string | null } | null
-- Returns a page of decided mails, newest first; one of them by its uid.
select uid, marketplace, kind, outcome as "outcome!", reason, title, price_minor, currency, order_id, item_uids, received_at,
  confirmation
from sale_mail
where user_id = :user_id and outcome is not null and (:outcome?::text is null or outcome = :outcome)
  and (:uid?::text is null or uid = :uid)
order by received_at desc, uid desc
limit :limit offset :offset

-- name: listNewestAccounts
-- type platform: PlatformSlug
-- Returns the newest accounts with an address, each with up to three items that it offers, first those that are live where
-- only mails tell sales, for the page of the sandbox.
select u.id as "user_id!", u.email as "email!", i.title as "title?", i.price_minor as "price_minor?", i.currency as "currency?",
  i.attributes ->> 'size' as "size?", i.sku as "sku?", coalesce(i.platform, 'poshmark') as "platform!"
from (
  select id, email from app_user where state = 'active' and email is not null order by id desc limit :limit
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
order by u.id desc

-- name: listProvedAddresses
-- Returns the addresses to which a user's marketplaces may write: the account's own once it is verified, unless another
-- account proved it later, and those that were confirmed.
select email as "email!" from sale_mail_recipient where user_id = :user_id and verified_at is not null
union
select lower(app_user.email) from app_user
where app_user.id = :user_id and app_user.email_verified and app_user.email is not null
  and not exists (
    select from sale_mail_recipient other
    where other.email = lower(app_user.email) and other.user_id <> app_user.id and other.verified_at is not null
  )

-- name: listRecipients
-- Returns the addresses of a user, the account's own first.
select lower(app_user.email) as "email!",
  case when app_user.email_verified and not exists (
    select from sale_mail_recipient other
    where other.email = lower(app_user.email) and other.user_id <> app_user.id and other.verified_at is not null
  ) then coalesce(app_user.secured_at, app_user.created_at) end as "verified_at?", 0 as "place!"
from app_user
where app_user.id = :user_id and app_user.email is not null
  and not exists (
    select from sale_mail_recipient own
    where own.user_id = app_user.id and own.email = lower(app_user.email) and own.verified_at is not null
  )
union all
select recipient.email, recipient.verified_at, 1
from sale_mail_recipient recipient
join app_user on app_user.id = recipient.user_id
where recipient.user_id = :user_id
  and (recipient.verified_at is not null or recipient.email <> coalesce(lower(app_user.email), ''))
order by 3, 1

-- name: lockMails
-- Has decisions about a user's mails take turns until the transaction ends.
select pg_advisory_xact_lock(4803, :user_id)

-- name: markMailboxRead
-- Records that a folder was read to its end. Returns when the account's last sale mail came by IMAP. No row if the lease is
-- lost.
update sale_mailbox set state = 'waiting', last_error = null, failures = 0, checked_at = now()
where user_id = :user_id and lease_epoch = :lease_epoch and lease_until is not null
returning (
  select max(mail.received_at) from sale_mail mail
  where mail.user_id = :user_id and mail.via = 'imap' and mail.kind <> 'other' and mail.outcome <> 'refused'
    and mail.received_at > now() - interval '90 days'
) as last_sale_at

-- name: moveMailbox
-- Stores the place in a folder. No row if the lease is lost.
update sale_mailbox set uid_validity = :uid_validity, last_uid = :last_uid
where user_id = :user_id and lease_epoch = :lease_epoch and lease_until is not null
returning user_id

-- name: proveRecipient
-- Uses a link: the address counts for this account. No row for a wrong, used or expired one.
update sale_mail_recipient set verified_at = now(), token_hash = null, expires_at = null
where user_id = :user_id and token_hash = :token_hash and expires_at > now()
returning email, verified_at

-- name: purgeSaleMail
-- Deletes mails that were no sale after seven days, others after 90.
delete from sale_mail where (user_id, uid) in (
  select user_id, uid from sale_mail
  where received_at < now() - interval '90 days'
    or received_at < now() - interval '7 days' and outcome = 'ignored' and kind = 'other'
  limit :limit
)

-- name: readMailbox
-- Returns a mailbox as its owner sees it.
select host, port, username as "user!", folder, state, last_error, checked_at
from sale_mailbox where user_id = :user_id

-- name: readMailQuota
-- Returns the seconds until the count of an account or a network ends; less than nothing afterwards.
select extract(epoch from ends_at - now())::float8 as "ahead!" from request_count where subject = :subject

-- name: readMailboxAge
-- Returns the time since the last reading of the mailbox that waits longest, of those that do not fail.
select extract(epoch from now() - min(coalesce(mailbox.checked_at, mailbox.created_at)))::float as seconds
from sale_mailbox mailbox
join app_user on app_user.id = mailbox.user_id and app_user.state = 'active'
where mailbox.failures = 0

-- name: readPublicEmail
-- Returns the address of an account that can be written to.
select email from app_user where id = :user_id and state = 'active' and email is not null

-- name: readVerified
-- Returns whether an account has proved an address or a phone number of its own.
select email_verified or phone_verified as "is_verified!" from app_user where id = :user_id

-- name: rememberSender
-- Remembers a network for a month, and writes at most once a day.
insert into request_count as known (subject, count, ends_at)
values (:subject, 1, now() + interval '30 days')
on conflict (subject) do update set ends_at = excluded.ends_at where known.ends_at < now() + interval '29 days'

-- name: removeWaysIn
-- Removes the address and the mailbox of a closed account.
with addresses as (
  delete from sale_mail_address where user_id = :user_id
)
delete from sale_mailbox where user_id = :user_id

-- name: renewMailbox
-- Extends a lease. No row if it is lost.
update sale_mailbox set lease_until = now() + :lease_seconds * interval '1 second'
where user_id = :user_id and lease_epoch = :lease_epoch and lease_until is not null
returning user_id

-- name: reopenCopies
-- Has sales decided again that were taken for copies, and were written after a cancellation. Their time must be signed: else
-- it is the arrival, and a copy of the first mail arrives later, too.
update sale_mail set outcome = null, reason = null
where user_id = :user_id and marketplace = :marketplace and kind = 'sale' and reason = 'replayed' and order_id is null
  and lower(title) = lower(:title?) and sent_at > :sent_at::timestamptz and sent_at < received_at
  and encrypted_mail is not null
returning uid

-- name: reopenMail
-- Takes back the seller's answer to a mail.
update sale_mail set outcome = :outcome, reason = :reason?, item_uids = :item_uids, listing_ids = '{}', resolved_at = null
where user_id = :user_id and uid = :uid

-- name: resolveMail
-- Writes the seller's answer to a mail that asks for one.
update sale_mail set outcome = :outcome, reason = null, item_uids = :item_uids, listing_ids = :listing_ids, resolved_at = now()
where user_id = :user_id and uid = :uid and resolved_at is null

-- name: restMailbox
-- Gives a mailbox back, to be read again so long after its last reading.
update sale_mailbox set
  lease_until = null, next_try_at = coalesce(checked_at, now()) + :rest_seconds * interval '1 second'
where user_id = :user_id and lease_epoch = :lease_epoch and lease_until is not null

-- name: saveMailbox
-- Stores a mailbox. The worker of the one before loses its lease, and notices at its next beat: until then no other
-- connects.
insert into sale_mailbox (user_id, host, port, tls, username, encrypted_password, folder, lease_until)
select :user_id, :host, :port, :tls, :username, :encrypted_password, :folder,
  case when max(before.lease_until) > now() then now() + :notice_ms * interval '1 millisecond' end
from sale_mailbox before
where before.user_id = :user_id
on conflict (user_id) do update set
  host = excluded.host, port = excluded.port, tls = excluded.tls, username = excluded.username,
  encrypted_password = excluded.encrypted_password, folder = excluded.folder, state = 'connecting', last_error = null,
  checked_at = null, failures = 0, next_try_at = excluded.next_try_at, lease_epoch = sale_mailbox.lease_epoch + 1,
  lease_until = excluded.lease_until,
  uid_validity = case when (sale_mailbox.host, sale_mailbox.username, sale_mailbox.folder)
    = (excluded.host, excluded.username, excluded.folder) then sale_mailbox.uid_validity end,
  last_uid = case when (sale_mailbox.host, sale_mailbox.username, sale_mailbox.folder)
    = (excluded.host, excluded.username, excluded.folder) then sale_mailbox.last_uid end
