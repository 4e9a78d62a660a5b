import type { Database } from '#server/infra/db/index.ts'

/** Invariants of the database between requests. Each query returns violations. */
const invariants: Record<string, string> = {
  'I2 the state of an item is that of its last history entry': `
    select item.user_id, item.uid from inventory_item item
    left join lateral (
      select to_state from inventory_history history
      where history.user_id = item.user_id and history.item_uid = item.uid order by version desc limit 1
    ) last on true
    where last.to_state is distinct from item.state`,
  'I5 one item per listing of a seller account, one listing row each': `
    select user_id, seller_account_uid, listing_id from channel_listing
    group by 1, 2, 3 having count(*) > 1`,
  'I5 one live listing per item and platform': `
    select user_id, item_uid, platform from channel_listing
    where state in ('available', 'reserved') and not extra
    group by 1, 2, 3 having count(*) > 1`,
  'I5 every imported item has its listing, and every created item exists': `
    select item.user_id, item.job_uid, item.uid
    from import_item item
    join import_job job on job.user_id = item.user_id and job.uid = item.job_uid
    left join channel_listing listing on listing.user_id = item.user_id
      and (listing.seller_account_uid = job.seller_account_uid
        or job.platform in ('poshmark', 'mercari', 'depop') and listing.platform = job.platform)
      and listing.listing_id = item.external_listing_id and listing.item_uid = item.created_inventory_item_uid
    where item.status = 'imported' and listing.item_uid is null
      and exists (
        select from inventory_item kept where kept.user_id = item.user_id and kept.uid = item.created_inventory_item_uid
      )`,
  'I5 a listing that the extension reads belongs to one shop of the user': `
    select user_id, platform, listing_id from channel_listing
    where platform in ('poshmark', 'mercari', 'depop')
    group by 1, 2, 3 having count(*) > 1`,
  'I5 no SKU twice': `
    select user_id, sku from inventory_item where sku is not null group by 1, 2 having count(*) > 1`,
  'I6 the progress counts of a job match its items': `
    select job.user_id, job.uid from import_job job
    cross join lateral (
      select coalesce(sum(removed_imported + removed_skipped + removed_failed), 0) as removed
      from import_count kept where kept.user_id = job.user_id and kept.job_uid = job.uid
    ) purged
    cross join lateral (
      select count(*) + removed as found, count(*) filter (where item.status <> 'pending') + removed as decided
      from import_item item where item.user_id = job.user_id and item.job_uid = job.uid
    ) counted
    where job.found_so_far <> counted.found or job.decided_so_far <> counted.decided
      or counted.decided > counted.found`,
  'I6 the status counts of a job match its items': `
    select job.user_id, job.uid
    from import_job job
    left join import_count kept on kept.user_id = job.user_id and kept.job_uid = job.uid
    cross join lateral (
      select count(*) as found, count(*) filter (where item.status = 'imported') as imported,
        count(*) filter (where item.status = 'skipped') as skipped, count(*) filter (where item.status = 'failed') as failed,
        count(*) filter (where item.status = 'conflict') as conflicted
      from import_item item where item.user_id = job.user_id and item.job_uid = job.uid
    ) counted
    where (coalesce(kept.found, 0), coalesce(kept.imported, 0), coalesce(kept.skipped, 0), coalesce(kept.failed, 0),
        coalesce(kept.conflicted, 0))
      <> (counted.found, counted.imported, counted.skipped, counted.failed, counted.conflicted)`,
  'I6 progress is 100 if and only if completed, and a completed job has no pending items': `
    select job.user_id, job.uid from import_job job
    where (job.progress = 100) <> (job.status = 'completed')
      or (job.status = 'completed' and exists (
        select from import_item item
        where item.user_id = job.user_id and item.job_uid = job.uid and item.status = 'pending'
      ))`,
  'I7 a seller account has at most one live job': `
    select user_id, seller_account_uid from import_job where status in ('pending', 'in_progress')
    group by 1, 2 having count(*) > 1`,
  'I1 an item has at most one live sale': `
    select user_id, item_uid from sale where not cancelled group by 1, 2 having count(*) > 1`,
  'I1 a live sale has a sold line and a sold item, and a sold line has a live sale': `
    select coalesce(sale.user_id, line.user_id), coalesce(sale.item_uid, line.item_uid)
    from (select * from sale where not cancelled) sale
    full join (select * from order_line where state = 'sold') line on line.user_id = sale.user_id
      and line.order_uid = sale.order_uid and line.external_line_id = sale.external_line_id
    left join inventory_item item on item.user_id = sale.user_id and item.uid = sale.item_uid
    where line.user_id is null or sale.user_id is null or line.item_uid <> sale.item_uid or item.state <> 'sold'`,
  'I2 every transition in the history is allowed': `
    select user_id, item_uid, version, from_state, to_state from inventory_history
    where from_state is not null and from_state <> to_state and (from_state, to_state) not in (
      ('available', 'reserved'), ('reserved', 'available'), ('available', 'withdrawn'), ('withdrawn', 'available'),
      ('available', 'sold'), ('reserved', 'sold'), ('sold', 'available')
    )`,
  'I3 a live listing of a sold item is being delisted, or its seller was alerted': `
    select listing.user_id, listing.item_uid, listing.platform, listing.listing_id
    from channel_listing listing
    join sale on sale.user_id = listing.user_id and sale.item_uid = listing.item_uid and not sale.cancelled
    join app_user on app_user.id = listing.user_id and app_user.state = 'active'
      and (app_user.email is not null or app_user.phone_verified
        or exists (select from social_link where social_link.user_id = app_user.id))
    where listing.state in ('available', 'reserved')
      and not exists (
        select from listing_operation operation
        where operation.user_id = listing.user_id and operation.listing_id = listing.listing_id
          and operation.seller_account_uid = listing.seller_account_uid and operation.kind = 'delist'
          and (operation.state = 'open' or operation.alerted_at is not null)
      )
      and not exists (
        select from extension_task task
        where task.user_id = listing.user_id and task.listing_id = listing.listing_id
          and task.platform = listing.platform and task.kind = 'delist' and task.status in ('open', 'dismissed')
      )`,
  'I4 an order that was acknowledged and handled is recorded': `
    select event.user_id, event.platform, event.external_order_id from order_fetch_request event
    where event.handled_at is not null and not event.unknown and not exists (
      select from marketplace_order "order"
      where "order".user_id = event.user_id and "order".platform = event.platform
        and "order".external_order_id = event.external_order_id
    )`,
  'I11 an oversell has an alert, and its item is not available': `
    select line.user_id, line.item_uid, line.order_uid, item.state
    from order_line line
    left join inventory_item item on item.user_id = line.user_id and item.uid = line.item_uid
    left join alert on alert.user_id = line.user_id and alert.kind = 'oversell'
      and alert.reference = line.order_uid || '/' || line.external_line_id and alert.state <> 'resolved'
    where line.state = 'oversell' and (alert.user_id is null or item.state = 'available')`,
}

/** Invariants that only triggers in test databases can check (audit.sql). */
const watched: Record<string, string> = {
  'I9 a single-use secret is used once and before its expiry': `
    select what from audit.broken where invariant = 'I9'`,
}

/** Invariants of databases with a queue. */
const queued: Record<string, string> = {
  'I7 a live import is leased by a worker, or its message waits': `
    select job.user_id, job.uid from import_job job
    where job.source = 'pull' and job.status in ('pending', 'in_progress') and not job.discovery_done
      and (job.lease_until is null or job.lease_until < now()) and not exists (
        select from jobs.job message
        where message.name = 'import-run' and message.data ->> 'job_uid' = job.uid
          and message.state in ('created', 'retry', 'active')
      )`,
}

/** Throws an Error that names each broken invariant with examples. */
export async function checkInvariants(db: Database): Promise<void> {
  const present = await db.one(
    "select to_regclass('audit.broken') is not null as watched, to_regclass('jobs.job') is not null as queued",
  )
  const all = Object.entries({ ...invariants, ...(present.watched && watched), ...(present.queued && queued) })
  // One statement, so that all queries see the same snapshot. Prepared, because every test ends with it and planning
  // takes ten times as long as running.
  const queries = all.map(
    ([, query], index) => `
      select ${index} as number, (select count(*) from (${query}) row) as count,
        (select json_agg(row) from (${query} limit 3) row) as examples`,
  )
  const rows = await db.any<{ number: number; count: number; examples: object[] }>({
    values: [],
    name: `invariants ${Number(present.watched)}${Number(present.queued)}`,
    text: `select * from (${queries.join('\n union all ')}) violation where count > 0 order by number`,
  })
  const broken = rows.map(({ number, count, examples }) => `${all[number]![0]}: ${JSON.stringify(examples)} (${count})`)
  if (broken.length > 0) throw new Error(`invariants are broken:\n  ${broken.join('\n  ')}`)
}
