import { fitting } from '#server/http/answers/list-page.ts'
import type { Queries } from '#server/infra/db/index.ts'
import { placeName } from '#server/selling/sales/observed-sale.ts'
import { witnessOf } from '#server/selling/sales/witness.ts'
import type { Services } from '#server/services.ts'
import { type Check, type CheckKind, checkKinds, type listChecks as route } from '#shared/contract/catalog/checks.ts'
import { offsetOf } from '#shared/contract/declaring/pages.ts'
import type { Input, Reply } from '#shared/contract/declaring/route.ts'
import { decimalFromMinor } from '#shared/money.ts'
import { type PlatformSlug, platformOf } from '#shared/platforms.ts'
import { type FoundFault, findFaults } from './find-faults.ts'
import * as sql from './queries.ts'
import { sendCheck } from './run-check.ts'
import { witnessChecks } from './witness-checks.ts'

/** Most listings that a finding shows; those to mend come first. */
const listingsShown = 6

/** A finding, with the fault behind it where a check of the inventory found it. */
export interface Finding {
  check: Check
  fault: FoundFault | null
}

type Stored = Awaited<ReturnType<typeof readStored>>[number]

/**
 * Lists what is not as it should be, the most urgent first. Only the findings of the page are checked again. Those that are
 * mended are left out, and a check is sent for, which forgets them.
 */
export async function listChecks(
  services: Pick<Services, 'config' | 'db' | 'jobs'>,
  user_id: number,
  query: Input<typeof route>['query'],
): Promise<Reply<typeof route>['body']> {
  const { db } = services
  const stored = (await readStored(db, user_id)).filter(({ dismissed_facts }) => dismissed_facts === null)
  const all: (Stored | Check)[] = [...stored, ...(await witnessChecks(db, user_id, services.config))]
  const wanted = all.filter(({ kind }) => query.kind === undefined || kind === query.kind).sort(byUrgency)
  const { limit, offset } = offsetOf(query)
  const page = wanted.slice(offset, offset + limit)
  const current = await classifyStored(db, user_id, page.filter(isStored))
  const results = page.flatMap((row) => (isStored(row) ? (current.get(row.uid)?.check ?? []) : row))
  const mended = page.filter((row) => isStored(row) && !current.has(row.uid))
  if (mended.length > 0) await sendCheck(services, db, user_id)
  const countOf = (rows: typeof all, kind: CheckKind) => rows.filter((row) => row.kind === kind).length
  const counts = checkKinds.map((kind) => [kind, countOf(all, kind) - countOf(mended, kind)] as const)
  const checked = await db.oneOrNone(sql.findCheck({ user_id }))
  return {
    count: wanted.length - mended.length,
    results: fitting(results),
    counts: Object.fromEntries(counts.filter(([, count]) => count > 0)),
    checked_at: checked ? new Date(checked.checked_at).toISOString() : null,
  }
}

/** Finds a finding by its id, checked now. Null if there is none, or it is mended or accepted. */
export async function findCheck(queries: Queries, user_id: number, uid: string): Promise<Finding | null> {
  const [row] = await queries.any(sql.listFaults({ user_id, uid }))
  if (!row) {
    const check = (await witnessChecks(queries, user_id)).find((one) => one.uid === uid)
    return check ? { check, fault: null } : null
  }
  return row.dismissed_facts === null ? ((await classifyStored(queries, user_id, [row])).get(uid) ?? null) : null
}

const readStored = (queries: Queries, user_id: number) => queries.any(sql.listFaults({ user_id, uid: null }))
const isStored = (row: Stored | Check): row is Stored => 'found_at' in row
const timeOf = (row: Stored | Check) => Date.parse(isStored(row) ? row.found_at : row.since)

const byUrgency = (one: Stored | Check, other: Stored | Check) =>
  checkKinds.indexOf(one.kind) - checkKinds.indexOf(other.kind) ||
  timeOf(other) - timeOf(one) ||
  one.uid.localeCompare(other.uid)

/** Checks findings again. Returns those that still are, by their ids. */
async function classifyStored(
  queries: Queries,
  user_id: number,
  rows: readonly Stored[],
): Promise<Map<string, Finding>> {
  const others = rows.flatMap(({ reference }) => (reference.startsWith('inv_') ? [reference] : []))
  const uids = [...new Set([...rows.map(({ item_uid }) => item_uid), ...others])]
  const found = await findFaults(queries, user_id, uids)
  const faults = new Map(found.map((fault) => [keyOf(fault.item.uid, fault), fault]))
  return new Map(
    rows.flatMap((row) => {
      const fault = faults.get(keyOf(row.item_uid, row))
      return fault ? [[row.uid, { check: toCheck(row, fault), fault }] as const] : []
    }),
  )
}

const keyOf = (item_uid: string, { kind, reference }: { kind: string; reference: string }) =>
  `${item_uid} ${kind} ${reference}`

function toCheck(row: { uid: string; found_at: string }, fault: FoundFault): Check {
  const { item, listings, sold_on } = fault
  const toMend = listings.filter(({ to_mend }) => to_mend)
  const { holder } = item
  const manual = toMend.filter((one) => fault.action === 'open' || platformOf(one.platform).capabilities.list !== 'api')
  return {
    uid: row.uid,
    kind: fault.kind,
    message: messageOf(fault),
    since: new Date(fault.since ?? row.found_at).toISOString(),
    inventory_item_uid: item.uid,
    item_title: item.title.slice(0, 1_000),
    item_image: item.image,
    item_state: item.state,
    sold_on,
    witness: holder && fault.kind === 'sold_live' ? witnessOf(holder.source, holder.platform) : null,
    read_at: null,
    taking_down: [...new Set(item.listings.flatMap(({ platform, is_ending }) => (is_ending ? [platform] : [])))],
    listings: listings
      .slice(0, listingsShown)
      .map(({ item_uid, platform, seller_account_uid, listing_id, url, state, to_mend, ...money }) => ({
        ...{ inventory_item_uid: item_uid, marketplace: platform, seller_account_uid, listing_id, url, state },
        ...{ price_minor: money.price_minor, currency: money.currency, to_mend },
        ...(money.new_price_minor !== undefined && { new_price_minor: money.new_price_minor }),
      })),
    action: fault.action,
    manual: manual.map(({ platform, url }) => ({ marketplace: platform, url })),
    alert_uid: toMend.find(({ alert_uid }) => alert_uid)?.alert_uid ?? null,
    difference_uid:
      (fault.kind === 'price_differs' && toMend.find((one) => one.price_difference)?.price_difference) || null,
    task_uid: toMend.find(({ task_uid }) => task_uid)?.task_uid ?? null,
    conflict: fault.conflict,
    can_dismiss: fault.can_dismiss,
  }
}

const names = (platforms: readonly PlatformSlug[]) =>
  new Intl.ListFormat('en').format([...new Set(platforms)].map((slug) => platformOf(slug).name))

function messageOf({ kind, listings, sold_on, item }: FoundFault): string {
  const toMend = listings.filter(({ to_mend }) => to_mend)
  const where = names(toMend.map(({ platform }) => platform))
  switch (kind) {
    case 'sold_live': {
      const isHeld = item.state === 'reserved'
      const at = sold_on === null ? '' : ` ${placeName(sold_on)}`
      return `${isHeld ? 'Held for a buyer' : 'Sold'}${at}, and still live on ${where}.`
    }
    case 'listed_twice':
      return `Live ${listings.length === 2 ? 'twice' : `${listings.length} times`} on ${where}.`
    case 'price_differs': {
      const prices = listings.map(
        (one) => `${decimalFromMinor(one.price_minor, one.currency)} ${one.currency} on ${names([one.platform])}`,
      )
      return `Below your price rule: ${new Intl.ListFormat('en').format(prices)}.`
    }
  }
}
