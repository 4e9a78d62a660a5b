import type { Database } from '#server/db/index.ts'

/** What must hold in the database at any quiet moment (faults, 3.1): each query finds what breaks it. */
const invariants: Record<string, string> = {
  'I2 a state is a move, and each has its version in the history': `
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
      and listing.seller_account_uid = job.seller_account_uid and listing.listing_id = item.external_listing_id
      and listing.item_uid = item.created_inventory_item_uid
    where item.status = 'imported' and listing.item_uid is null
      and exists (
        select from inventory_item kept where kept.user_id = item.user_id and kept.uid = item.created_inventory_item_uid
      )`,
  'I5 no SKU twice': `
    select user_id, sku from inventory_item where sku is not null group by 1, 2 having count(*) > 1`,
  'I6 what a job counted for its progress is what there is': `
    select job.user_id, job.uid from import_job job
    cross join lateral (
      select count(*) as found, count(*) filter (where item.status <> 'pending') as decided
      from import_item item where item.user_id = job.user_id and item.job_uid = job.uid
    ) counted
    where job.found_so_far <> counted.found or job.decided_so_far <> counted.decided
      or counted.decided > counted.found`,
  'I6 progress is 100 when and only when completed, and a completed job has nothing undecided': `
    select job.user_id, job.uid from import_job job
    where (job.progress = 100) <> (job.status = 'completed')
      or (job.status = 'completed' and exists (
        select from import_item item
        where item.user_id = job.user_id and item.job_uid = job.uid and item.status = 'pending'
      ))`,
  'I7 a seller account has one live job at most': `
    select user_id, seller_account_uid from import_job where status in ('pending', 'in_progress')
    group by 1, 2 having count(*) > 1`,
}

/** Throws, naming each invariant that does not hold and what breaks it. */
export async function checkInvariants(db: Database): Promise<void> {
  const broken: string[] = []
  for (const [name, query] of Object.entries(invariants)) {
    const rows = await db.any(query)
    if (rows.length > 0) broken.push(`${name}: ${JSON.stringify(rows.slice(0, 3))} (${rows.length})`)
  }
  if (broken.length > 0) throw new Error(`invariants are broken:\n  ${broken.join('\n  ')}`)
}
