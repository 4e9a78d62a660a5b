import type { Queries } from '#server/infra/db/index.ts'
import { problem } from '#server/infra/errors.ts'
import { lettersOf } from '#server/selling/sales/identify-item.ts'
import { type FoundSale, findSale, type ToldSale } from '#server/selling/sales/past/compare-sales.ts'
import { type PastSale, readKnownSales } from '#server/selling/sales/past/record-past-sales.ts'
import type { Services } from '#server/services.ts'
import type { SellerSettings } from '#shared/contract/catalog/inventory.ts'
import { readPastSale, tellsSale } from '../reading/past-sale.ts'
import type { NumberedRow } from './look-alikes.ts'

type KnownSale = Awaited<ReturnType<typeof readKnownSales>>[number]

/** A sale that a row tells: the known one that it is, or why it cannot be read. */
interface Told {
  found: FoundSale<KnownSale> | null
  error?: unknown
}

/** Reads the sale that a row tells; null for a row that tells none. */
export function tellSale(
  { sales, settings, services }: { sales: KnownSales; settings: SellerSettings; services: Pick<Services, 'now'> },
  row: NumberedRow,
): Told | null {
  const { cells, name, number, left, errors } = row
  if (!left?.isSold || !tellsSale(cells)) return null
  if (errors) return { found: null, error: problem('invalid_request', undefined, { errors }) }
  try {
    const sale = readPastSale(cells, name, { currency: settings.default_currency, now: services.now().getTime() })
    return sale && { found: sales.find(number, sale, cells.title || null) }
  } catch (error) {
    return { found: null, error }
  }
}

/** The sales that were known before a file, each of which one row can tell again. */
export interface KnownSales {
  /** Finds the sale that a row of this number tells. */
  find: (number: number, sale: PastSale, title: string | null) => FoundSale<KnownSale>
  hasSale: (item_uid: string) => boolean
}

/**
 * Reads the sales of a user. Call before anything of the file is written: two rows of one file are two sales. `rows`: names of
 * the rows, each of which tells the sale that it made before.
 */
export async function findKnownSales(queries: Queries, user_id: number, rows: readonly string[]): Promise<KnownSales> {
  const known = await readKnownSales(queries, user_id)
  const byName = Map.groupBy(
    known.flatMap((sale) => namesOf(sale).map((name) => ({ name, sale }))),
    ({ name }) => name,
  )
  const inFile = new Set(rows)
  const byRow = new Map(known.map((sale) => [sale.row, sale]))
  const items = new Set(known.map(({ item_uid }) => item_uid))
  const taken = new Map<string, number>()
  const take = (number: number, sale: KnownSale): FoundSale<KnownSale> => {
    taken.set(sale.item_uid, number)
    return { is: 'same', sale }
  }
  return {
    hasSale: (item_uid) => items.has(item_uid),
    find: (number, sale, title) => {
      const read = byRow.get(sale.row)
      if (read) return take(number, read)
      const told = { ...sale, title }
      const near = new Set(namesOf(told).flatMap((name) => byName.get(name)?.map((one) => one.sale) ?? []))
      const found = findSale(
        told,
        [...near].filter(({ item_uid, row }) => !inFile.has(row) && (taken.get(item_uid) ?? number) === number),
      )
      return found.is === 'same' ? take(number, found.sale) : found
    },
  }
}

/** Letters of a title that two equal ones share, also where one is cut. */
const titleStart = 20

/** Returns the names under which a sale may be told again. */
function namesOf({ platform, order_id, listing_id, sku, title }: ToldSale): string[] {
  const names = { order_id, listing_id, sku, title: title && lettersOf(title).slice(0, titleStart) }
  return Object.entries(names).flatMap(([kind, name]) => (name ? [`${platform} ${kind} ${lettersOf(name)}`] : []))
}
