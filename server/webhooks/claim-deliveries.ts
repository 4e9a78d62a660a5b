import { type Queries, sql } from '#server/infra/db/index.ts'
import { prepared, single } from '#server/infra/db/prepared.ts'
import type { ClaimedDelivery } from './deliver.ts'

const isDue = prepared(sql(import.meta.url, './sql/is-delivery-due.sql'))
/** Planned each time: by a plan of when little waited it goes through all that waits. */
const claimRows = sql(import.meta.url, './sql/claim-deliveries.sql')

/**
 * Deliveries at once, over all servers: an endpoint that hangs leaves room to the user's others, and a user to the others.
 * Endpoints that fail, and those that were never sent to, get one each and share few, so that whoever registers many
 * accounts with hanging endpoints holds up no endpoint that works. Beyond `shared` each user gets one.
 */
const most = { of_endpoint: 4, of_user: 8, of_failing: 16, of_untried: 48, shared: 96 }
/** Longer than any attempt. */
const leaseSeconds = 30
/** How far an endpoint's backlog is looked into at a time. */
const looks = 50

type Row = (ClaimedDelivery | { id: null }) & { put_off: number }

/** One look at each endpoint's line: what was claimed, and how many were put off, at least one row. */
export function claimOnce(queries: Queries, count: number): Promise<Row[]> {
  return queries.any<Row>(claimRows, { ...most, count, looks, lease_seconds: leaseSeconds })
}

/** Whether anything is due that may have to be claimed. */
export async function isDeliveryDue(queries: Queries): Promise<boolean> {
  return (await queries.one<{ is_due: boolean }>(single(isDue, {}))).is_due
}

/**
 * Takes at most so many deliveries that are due, under a lease: of an item only the oldest, of an endpoint and of a user not
 * too many at once. Each endpoint is looked at for itself, so that the backlog of one costs the others nothing.
 */
export async function claimDeliveries(queries: Queries, count: number): Promise<ClaimedDelivery[]> {
  if (!(await isDeliveryDue(queries))) return []
  for (;;) {
    const rows = await claimOnce(queries, count)
    const claimed = rows.filter((row): row is ClaimedDelivery & { put_off: number } => row.id !== null)
    // What only waited for others of its item is out of the way now; behind it there may be more.
    if (claimed.length > 0 || rows[0]!.put_off === 0) return claimed
  }
}
