import type { Queries } from '#server/infra/db/index.ts'
import { placeName } from '#server/selling/sales/observed-sale.ts'
import { witnessOf } from '#server/selling/sales/witness.ts'
import { type Check, checkKinds, type listChecks as route } from '#shared/contract/checks.ts'
import { offsetOf } from '#shared/contract/pages.ts'
import type { Input, Reply } from '#shared/contract/route.ts'
import { decimalFromMinor } from '#shared/money.ts'
import { type PlatformSlug, platformOf } from '#shared/platforms.ts'
import { type FoundFault, findFaults } from './find-faults.ts'
import { factsOf } from './judge-item.ts'
import * as sql from './queries.ts'
import { witnessChecks } from './witness-checks.ts'

/** A finding, with the fault behind it where a check of the inventory found it. */
export interface Finding {
  check: Check
  fault: FoundFault | null
}

/** Lists what is not as it should be, judged now, the most urgent first. */
export async function listChecks(
  queries: Queries,
  user_id: number,
  query: Input<typeof route>['query'],
): Promise<Reply<typeof route>['body']> {
  const all = (await findChecks(queries, user_id)).map(({ check }) => check)
  const fitting = all.filter(({ kind }) => query.kind === undefined || kind === query.kind)
  const { limit, offset } = offsetOf(query)
  const counts = checkKinds.map((kind) => [kind, all.filter((check) => check.kind === kind).length] as const)
  const checked = await queries.oneOrNone(sql.findCheck({ user_id }))
  return {
    count: fitting.length,
    results: fitting.slice(offset, offset + limit),
    counts: Object.fromEntries(counts.filter(([, count]) => count > 0)),
    checked_at: checked ? new Date(checked.checked_at).toISOString() : null,
  }
}

/** Finds what is not as it should be, or the one finding with an id, without what the seller accepted. */
export async function findChecks(queries: Queries, user_id: number, uid: string | null = null): Promise<Finding[]> {
  const known = await queries.any(sql.listFaults({ user_id, uid }))
  const uids = known.flatMap(({ item_uid, reference }) => [
    item_uid,
    ...(reference.startsWith('inv_') ? [reference] : []),
  ])
  const faults = new Map(
    (await findFaults(queries, user_id, [...new Set(uids)])).map((fault) => [keyOf(fault.item.uid, fault), fault]),
  )
  const stored = known.flatMap((row): Finding[] => {
    const fault = faults.get(keyOf(row.item_uid, row))
    return fault && row.dismissed_facts !== factsOf(fault) ? [{ check: toCheck(row, fault), fault }] : []
  })
  const live = known.length > 0 && uid !== null ? [] : await witnessChecks(queries, user_id)
  const ofWitnesses = live.filter((check) => uid === null || check.uid === uid).map((check) => ({ check, fault: null }))
  return [...stored, ...ofWitnesses].sort(
    ({ check: one }, { check: other }) =>
      checkKinds.indexOf(one.kind) - checkKinds.indexOf(other.kind) ||
      other.since.localeCompare(one.since) ||
      one.uid.localeCompare(other.uid),
  )
}

const keyOf = (item_uid: string, { kind, reference }: { kind: string; reference: string }) =>
  `${item_uid} ${kind} ${reference}`

function toCheck(row: { uid: string; found_at: string }, fault: FoundFault): Check {
  const { item, listings, sold_on } = fault
  const toMend = listings.filter(({ to_mend }) => to_mend)
  const { holder } = item
  const manual = toMend.filter((one) => fault.action === 'open' || platformOf(one.platform).capabilities.list !== 'api')
  const difference = fault.kind === 'price_differs' ? 'price_difference' : 'photos_difference'
  const isOfField = fault.kind === 'price_differs' || fault.kind === 'photos_missing'
  return {
    uid: row.uid,
    kind: fault.kind,
    message: messageOf(fault),
    since: new Date(fault.since ?? row.found_at).toISOString(),
    inventory_item_uid: item.uid,
    item_title: item.title,
    item_image: item.image,
    item_state: item.state,
    sold_on,
    witness: holder && fault.kind === 'sold_live' ? witnessOf(holder.source, holder.platform) : null,
    taking_down: [...new Set(item.listings.flatMap(({ platform, is_ending }) => (is_ending ? [platform] : [])))],
    listings: listings.map(
      ({ item_uid, platform, seller_account_uid, listing_id, url, state, photos, to_mend, ...money }) => ({
        ...{ inventory_item_uid: item_uid, marketplace: platform, seller_account_uid, listing_id, url, state },
        ...{ price_minor: money.price_minor, currency: money.currency, photos, to_mend },
      }),
    ),
    action: fault.action,
    manual: manual.map(({ platform, url }) => ({ marketplace: platform, url })),
    alarm_uid: toMend.find(({ alarm_uid }) => alarm_uid)?.alarm_uid ?? null,
    difference_uid: (isOfField && toMend.find((one) => one[difference])?.[difference]) || null,
    task_uid: toMend.find(({ task_uid }) => task_uid)?.task_uid ?? null,
    conflict: fault.conflict,
    can_dismiss: fault.can_dismiss,
  }
}

const names = (platforms: readonly PlatformSlug[]) =>
  new Intl.ListFormat('en').format([...new Set(platforms)].map((slug) => platformOf(slug).name))

function messageOf({ kind, listings, sold_on, item, photos }: FoundFault): string {
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
      return `Live at different prices: ${new Intl.ListFormat('en').format(prices)}.`
    }
    case 'photos_missing': {
      const counts = toMend.map((one) => `${one.photos} of ${photos} on ${names([one.platform])}`)
      return `Photos are missing: ${new Intl.ListFormat('en').format(counts)}.`
    }
  }
}
