import type { Queries } from '#server/infra/db/index.ts'
import { readPriceRules } from '#server/selling/listings/preflight/price-rules.ts'
import type { Difference, listDifferences as route } from '#shared/contract/catalog/differences.ts'
import { offsetOf } from '#shared/contract/declaring/pages.ts'
import type { Input, Reply } from '#shared/contract/declaring/route.ts'
import type { Availability } from '#shared/item/inventory-record.ts'
import { decimalFromMinor } from '#shared/money.ts'
import { plainText } from '#shared/plain-text.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import { type Money, priceOnPlatform } from '#shared/price-change.ts'
import type { PriceRules } from '#shared/price-schemas.ts'
import { whyNotOverwritten } from './can-overwrite.ts'
import * as sql from './queries.ts'

export interface Row extends Money {
  uid: string
  field: Difference['field']
  state: Difference['state']
  noticed_at: string
  platform: PlatformSlug
  url: string
  item_uid: string
  title: string
  image: string | null
  item_state: Availability
  mine_text: string | null
  theirs_text: string | null
  theirs_price: Money | null
  mine_count: number | null
  theirs_count: number | null
  mine_photos: string[] | null
  theirs_photos: string[] | null
}

/** Lists the differences between a user's items and their live listings, newest first. */
export async function listDifferences(
  queries: Queries,
  user_id: number,
  query: Input<typeof route>['query'],
): Promise<Reply<typeof route>['body']> {
  const { marketplace = null, item: item_uid = null, state = 'open' } = query
  const { count, rows } = await queries.one(
    sql.listDifferences({
      ...{ user_id, marketplace, item_uid, state },
      ...offsetOf(query),
    }),
  )
  const rules = rows.some(({ field }) => field === 'price') ? await readPriceRules(queries, user_id) : {}
  return { count, results: rows.map((row) => toDifference(row, rules)) }
}

function toDifference(row: Row, rules: PriceRules): Difference {
  const reason = whyNotOverwritten(row)
  return {
    uid: row.uid,
    inventory_item_uid: row.item_uid,
    item_title: row.title,
    item_image: row.image,
    marketplace: row.platform,
    listing_url: row.url,
    field: row.field,
    ...valuesOf(row, rules),
    mine_photos: row.mine_photos,
    theirs_photos: row.theirs_photos,
    state: row.state,
    noticed_at: new Date(row.noticed_at).toISOString(),
    can_overwrite: reason === null,
    cannot_overwrite_reason: reason,
  }
}

function valuesOf(
  row: Row,
  rules: PriceRules,
): Pick<Difference, 'mine' | 'theirs' | 'mine_currency' | 'theirs_currency'> {
  if (row.theirs_price) {
    const price_minor = priceOnPlatform(row, rules[row.platform])
    return {
      mine: decimalFromMinor(price_minor, row.currency),
      theirs: decimalFromMinor(row.theirs_price.price_minor, row.theirs_price.currency),
      mine_currency: row.currency,
      theirs_currency: row.theirs_price.currency,
    }
  }
  return {
    mine: row.mine_text === null ? String(row.mine_count) : cut(row.mine_text),
    theirs: row.theirs_text === null ? String(row.theirs_count) : cut(row.theirs_text),
    mine_currency: null,
    theirs_currency: null,
  }
}

const cut = (text: string) => plainText(text).slice(0, 1_000)
