import type { Queries } from '#server/infra/db/index.ts'
import { readPriceRules } from '#server/selling/listings/preflight/price-rules.ts'
import { classifyItem, type Fault, type ItemFacts, twinFault } from './classify-item.ts'
import * as sql from './queries.ts'

/** Items checked at a time. */
const itemsAtOnce = 500

/** A fault with its item. */
export interface FoundFault extends Fault {
  item: ItemFacts
}

/** Finds the faults of a user's items: of those with the given uids, or of the whole inventory. */
export async function findFaults(
  queries: Queries,
  user_id: number,
  given: readonly string[] | null = null,
): Promise<FoundFault[]> {
  if (given?.length === 0) return []
  // One item has no twin.
  const twins = given?.length === 1 ? [] : await queries.any(sql.findTwins({ user_id, uids: given }))
  const rules = await readPriceRules(queries, user_id)
  const ruled = Object.keys(rules)
  const candidates =
    given ?? (await queries.any(sql.findCandidates({ user_id, ruled }))).flatMap(({ uid }) => uid ?? [])
  const uids = [...new Set([...candidates, ...twins.flatMap(({ first_uid, second_uid }) => [first_uid, second_uid])])]
  if (uids.length === 0) return []
  const items = new Map<string, ItemFacts>()
  const found: FoundFault[] = []
  for (let from = 0; from < uids.length; from += itemsAtOnce) {
    for (const item of await queries.any(sql.readFacts({ user_id, uids: uids.slice(from, from + itemsAtOnce) }))) {
      items.set(item.uid, item)
      found.push(...classifyItem(item, rules).map((fault) => ({ ...fault, item })))
    }
  }
  for (const { first_uid, second_uid, platform } of twins) {
    const [item, other] = [items.get(first_uid), items.get(second_uid)]
    const fault = item && other && twinFault(item, other, platform)
    if (fault) found.push({ ...fault, item })
  }
  return found
}
