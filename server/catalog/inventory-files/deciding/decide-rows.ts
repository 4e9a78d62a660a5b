import { itemUrl } from '#server/catalog/inventory/build-record.ts'
import { changeItem } from '#server/catalog/inventory/change-item.ts'
import type { ItemRow } from '#server/catalog/inventory/content.ts'
import type { DescribedItem } from '#server/catalog/inventory/create-item.ts'
import { readItems } from '#server/catalog/inventory/read-items.ts'
import { type ChangedItem, isWithdrawal } from '#server/catalog/inventory/update-item.ts'
import type { Queries } from '#server/infra/db/index.ts'
import { HttpProblem, invalidField, problem } from '#server/infra/errors.ts'
import { type ListingEffect, previewListings } from '#server/selling/listings/operations/queue-listing-update.ts'
import type { PastSale } from '#server/selling/sales/past/record-past-sales.ts'
import type { Services } from '#server/services.ts'
import { type FieldChange, type SellerSettings, updateInventoryItem } from '#shared/contract/catalog/inventory.ts'
import type { FieldError } from '#shared/contract/declaring/errors.ts'
import { type Cells, changedColumns, changesBetween, editableCells, readCells, splitUrls } from '../columns.ts'
import { tellsSale } from '../reading/past-sale.ts'
import { type KnownSales, tellSale } from './known-sales.ts'
import { findItems, isOtherItem, type NumberedRow } from './look-alikes.ts'
import { decideNew, decidePast, leftOut, parse, requireSigns } from './new-items.ts'
import * as sql from './queries.ts'
import { type Answers, digestOf, hasShown, isAnswered, questionsOf } from './questions.ts'

/** An import of a file. */
export interface Importing {
  services: Services
  user_id: number
  isDryRun: boolean
  /** Another program made the file, or it has no column of conditions. */
  isConditionOptional: boolean
  /** The seller's, with the currency of rows without one. */
  settings: SellerSettings
  /** The currency of rows without one that the request names, if it does. */
  currency: string | null
  /** New items of earlier batches of a dry run, which the account's limit does not count yet. */
  planned: number
  /** The first row with each uid and SKU. Another row for an item would undo the first. */
  seen: Map<string, number>
  /** The items that rows look like, by the number of the row. */
  lookAlikes: Map<number, string>
  /** The uids and SKUs of rows that are for sale. */
  offered: ReadonlySet<string | undefined>
  /** The sales that are known, which a row may tell again. */
  sales: KnownSales
  answers: Answers
  /** Digests of what each batch asks, by its place in the file. */
  digests: string[]
  /** Questions that the preview showed and that are still the same. Answers to others do not count. */
  shown: Set<string>
}

/** The change that a row asks for. */
export type Decision =
  /** `sale`: that of the past by which the new item is sold. */
  | { action: 'create'; item: DescribedItem; changes: FieldChange[]; sale?: PastSale }
  | ItemUpdate
  /** `error`: why the row is left out, where its item is like that already. */
  | { action: 'none'; uid: string; error?: unknown }
  /**
   * Nothing is done before the seller has answered. `like`: the item that the row may be about. `update`: what becomes of
   * it if it is.
   */
  | { action: 'ask'; uid: string | null; errors: FieldError[]; update: ItemUpdate | null; like: ItemRow | null }
  | { action: 'fail'; uid: string | null; error: unknown }

/** A change of an item. */
export interface ItemUpdate {
  action: 'update'
  uid: string
  change: ChangedItem
  changes: FieldChange[]
  /** Live listings that change or end with the item. */
  listings: ListingEffect[]
}

/** A row that changes an item, or may do so. */
interface Proposal {
  row: NumberedRow
  /** The decision about the item that the row names or looks like. */
  change: Decision
  /** The item that the row may be about, where the seller has to say. */
  like: ItemRow | null
  /** The item that the row names. */
  uid: string | null
}

type Item = Awaited<ReturnType<typeof readItems>> extends Map<string, infer Value> ? Value : never

/**
 * Decides about the rows of a batch in their order. Locks the items that they are about, except in a dry run. Writes
 * nothing.
 */
export async function decideRows(
  queries: Queries,
  importing: Importing,
  rows: readonly NumberedRow[],
  batch: number,
): Promise<Decision[]> {
  const { services, user_id, isDryRun, lookAlikes } = importing
  const identify = await findItems(queries, user_id, rows)
  const found = rows.map((row) => {
    const { uid, isRepeated } = identify.find(row)
    const told = tellSale(importing, row)
    const alike = uid === null ? lookAlikes.get(row.number) : undefined
    return { uid, isRepeated, told, alike: told?.found?.is === 'unclear' ? told.found.sales[0]!.item_uid : alike }
  })
  const uids = found.flatMap(({ uid, isRepeated, alike }, index) =>
    isRepeated && !rows[index]!.left ? [] : [uid, alike].filter((one) => one != null),
  )
  if (!isDryRun) await queries.any(sql.lockItems({ user_id, uids }))
  const items = await readItems(queries, services.config.PUBLIC_URL, { user_id, uids })
  const withCopies = await readCopies(queries, user_id, uids)
  const proposed: (Decision | Proposal)[] = []
  let added = 0
  const add = async (row: NumberedRow) => {
    await services.quotas.requireItemQuota(user_id, importing.planned + added)
    const decision = row.left ? decidePast(importing, row, identify.ownerOf(row.cells.sku)) : decideNew(importing, row)
    added++
    return decision
  }
  const orFail = async <Outcome>(row: NumberedRow, uid: string | null, decide: () => Promise<Outcome>) => {
    try {
      return await decide()
    } catch (error) {
      if (!(error instanceof HttpProblem)) {
        services.log.error({ err: error, user_id, row: row.number }, 'a row could not be decided')
      }
      return { action: 'fail', uid, error } as const
    }
  }
  for (const [index, row] of rows.entries()) {
    const { uid, isRepeated, alike, told } = found[index]!
    const decide = async (): Promise<Decision | Proposal> => {
      const item = uid === null ? undefined : items.get(uid)
      if (row.left) {
        const error = leftOut(row.left)
        const { uid: ofRow, sku } = row.cells
        const isOffered = importing.offered.has(ofRow) || importing.offered.has(sku)
        if (row.left.isSold && item?.row.state === 'available' && !isOffered) {
          refuseSecond(importing.seen, row, uid)
          const like = isOtherItem(withCopies(row.cells, item.row.uid), item.row) ? item.row : null
          return { row, change: decideChange(importing, { ...row, cells: { state: 'withdrawn' } }, item), like, uid }
        }
        if (told?.found?.is === 'same') return { action: 'none', uid: told.found.sale.item_uid }
        if (told && uid !== null && isRepeated) return { action: 'none', uid }
        // An export has sold items. They stay as they are.
        const isSold = row.left.isSold && item?.row.state === 'sold'
        if (isSold && !(told && importing.sales.hasSale(item.row.uid)))
          return { action: 'none', uid: item.row.uid, error }
        if (!told || (item && !isSold && !isOffered)) throw error
        if (told.error) throw told.error
        const likely = items.get(alike ?? '')
        const sold = isSold && !isOtherItem(row.cells, item.row) ? item : undefined
        // The sales say whether it is one that has sold an item.
        const like = likely && (told.found?.is === 'unclear' || likely.row.state !== 'sold') ? likely : sold
        if (!like) return add(row)
        const change: Decision =
          like.row.state === 'available'
            ? decideChange(importing, { ...row, cells: { state: 'withdrawn' } }, like)
            : { action: 'none', uid: like.row.uid }
        return { row, change, like: like.row, uid: null }
      }
      if (row.errors) throw problem('invalid_request', undefined, { errors: row.errors })
      refuseSecond(importing.seen, row, isRepeated ? null : uid)
      if (uid !== null && isRepeated) return { action: 'none', uid }
      if (item) {
        refuseTaken(row.cells.sku, identify.ownerOf(row.cells.sku), item.row.uid)
        const cells = withCopies(row.cells, item.row.uid)
        const change = decideChange(importing, { ...row, cells }, item)
        const isOther = isOtherItem(cells, item.row) || offersSold(change, cells, item.row)
        return { row, change, like: isOther ? item.row : null, uid }
      }
      const like = alike === undefined ? undefined : items.get(alike)
      if (!like) return add(row)
      // A row that can be neither fails now.
      decideNew(importing, row)
      const cells = withCopies({ ...row.cells, ...(like.row.sku === null ? {} : { sku: like.row.sku }) }, like.row.uid)
      const change = await orFail(row, like.row.uid, async () => decideChange(importing, { ...row, cells }, like))
      return { row, change, like: like.row, uid }
    }
    proposed.push(await orFail(row, uid, decide))
  }
  const asked = await withListings(queries, user_id, proposed)
  checkShown(importing, batch, asked)
  const decisions: Decision[] = []
  for (const [index, decision] of asked.entries()) {
    const row = rows[index]!
    decisions.push('action' in decision ? decision : await orFail(row, null, () => answer(importing, decision, add)))
  }
  if (isDryRun) importing.planned += added
  return decisions
}

type Question = Proposal & { errors: FieldError[] }

/** Adds to proposals the live listings that they would change, and the questions. Those without a question are decided. */
async function withListings(
  queries: Queries,
  user_id: number,
  proposed: readonly (Decision | Proposal)[],
): Promise<(Decision | Question)[]> {
  const sent = proposed.filter((one): one is Proposal => {
    const change = 'action' in one ? null : updateOf(one)?.change
    return !!change && (isWithdrawal(change) || change.after.price_minor !== change.before.price_minor)
  })
  const items = sent.map((one) => {
    const { change } = updateOf(one)!
    const { uid: item_uid, price_minor, currency } = change.after
    return { item_uid, price_minor: isWithdrawal(change) ? null : price_minor, currency }
  })
  const previews = await previewListings(queries, user_id, items)
  const effects = new Map(sent.map((one, index) => [one, previews[index]!]))
  return proposed.map((one) => {
    if ('action' in one) return one
    const update = updateOf(one)
    const listings = effects.get(one) ?? []
    const errors = questionsOf(update?.change ?? null, listings, one.like, one.row.left !== null)
    const decided = update ? { ...update, listings } : one.change
    return errors.length === 0 ? decided : { ...one, change: decided, errors }
  })
}

/** Remembers the questions of a batch, and whether the preview showed them like this. A later attempt at it adds nothing. */
function checkShown(importing: Importing, batch: number, asked: readonly (Decision | Question)[]): void {
  if (importing.digests[batch] !== undefined) return
  const shown = asked.flatMap((one) => ('action' in one ? [] : [shownOf(one)]))
  const digest = digestOf(shown)
  importing.digests[batch] = digest
  if (hasShown(importing.answers, batch, digest)) for (const one of shown) importing.shown.add(one)
}

const updateOf = ({ change }: Proposal) => (change.action === 'update' ? change : null)

function shownOf(question: Question): string {
  const { row, like, errors } = question
  const { changes, listings } = updateOf(question) ?? {}
  return JSON.stringify([row.number, errors, like?.uid, changes, listings])
}

/** Decides a row by the seller's answers, or asks. */
async function answer(
  { answers, shown, seen }: Importing,
  question: Question,
  add: (row: NumberedRow) => Promise<Decision>,
): Promise<Decision> {
  const { row, change, like, uid, errors } = question
  const ask: Decision = { action: 'ask', uid, errors, update: updateOf(question), like }
  if (!shown.has(shownOf(question))) return ask
  const { number, cells } = row
  if (like && answers.isNew(number)) {
    if (row.left && !tellsSale(cells)) throw leftOut(row.left)
    // The item that the row names may have its SKU.
    return add(uid !== null && cells.sku === like.sku ? { ...row, cells: { ...cells, sku: '' } } : row)
  }
  if ((like && !answers.isSame(number)) || !isAnswered(errors, answers, number)) return ask
  if (like && uid === null) refuseSecond(seen, { ...row, cells: {} }, like.uid)
  return change
}

/** Returns a function that puts the copies of an item's photos into a row, in place of the addresses that they were copied from. */
async function readCopies(queries: Queries, user_id: number, uids: readonly string[]) {
  const copies = await queries.any(sql.findCopies({ user_id, uids: [...uids] }))
  const byItem = Map.groupBy(copies, ({ item_uid }) => item_uid)
  return (cells: Cells, uid: string): Cells => {
    const photos = new Map(byItem.get(uid)?.map(({ source, copy }) => [source, copy]))
    const isCopied = photos.size > 0 && cells.images
    return isCopied
      ? {
          ...cells,
          images: splitUrls(cells.images!)
            .map((url) => photos.get(url) ?? url)
            .join('\n'),
        }
      : cells
  }
}

/** Throws 409 for the SKU of another item. The database would refuse it as well, but not in a dry run. */
function refuseTaken(sku: string | undefined, owner: string | undefined, uid: string): void {
  if (sku && owner !== undefined && owner !== uid) throw problem('sku_in_use')
}

function refuseSecond(seen: Map<string, number>, { cells: { sku }, number }: NumberedRow, uid: string | null): void {
  const names = [...(uid === null ? [] : [`uid ${uid}`]), ...(sku ? [`sku ${sku}`] : [])]
  const earlier = names.map((name) => seen.get(name)).find((row) => row !== undefined && row !== number)
  if (earlier !== undefined) {
    throw invalidField(uid === null ? 'sku' : 'uid', 'given_twice', `is that of row ${earlier}`)
  }
  for (const name of names) seen.set(name, number)
}

/** Returns whether a row offers an item that is sold by its SKU, with another price or pictures: it may be another thing. */
const offersSold = (change: Decision, cells: Cells, { uid, state }: ItemRow): boolean =>
  state === 'sold' &&
  cells.uid !== uid &&
  change.action === 'update' &&
  change.changes.some(({ field }) => field === 'price' || field === 'images')

function decideChange(importing: Importing, { cells, signs = [] }: NumberedRow, { item, row }: Item): Decision {
  const { uid } = row
  const page = itemUrl(importing.services.config.PUBLIC_URL, uid)
  const current = editableCells(row, page)
  const names = changedColumns(cells, current)
  requireCurrency(importing, cells, names, row.currency)
  requireSigns(signs, row.currency)
  const change = readCells(cells, names, { current: row.attributes, currency: row.currency })
  if (names.includes('state') && cells.state) change.state = cells.state
  if (Object.keys(change).length === 0) return { action: 'none', uid }
  const after = {
    ...row,
    ...changeItem(row, parse(updateInventoryItem.body, change), importing.services.config.PUBLIC_URL),
  }
  const isLive = item.listings?.some(({ state }) => state === 'available' || state === 'reserved')
  if (after.price_minor === 0 && row.price_minor !== 0 && isLive) {
    throw invalidField('offer.price_minor', 'invalid_price', 'must be more than zero while it is listed')
  }
  const changes = changesBetween(current, editableCells(after, page))
  if (changes.length === 0) return { action: 'none', uid }
  return { action: 'update', uid, change: { before: row, after }, changes, listings: [] }
}

/** Throws 400 for amounts in another currency than the item's: 45 dollars are not 45 yen. */
function requireCurrency(importing: Importing, cells: Cells, names: readonly string[], currency: string): void {
  const isAmount = names.includes('price') || names.includes('cost')
  const theirs = cells.currency || (isAmount ? importing.currency : null)
  if (!theirs || theirs === currency) return
  const message = `is ${theirs.slice(0, 20)} in the file and ${currency} in Hapax. Change it in Hapax first, or the file`
  throw invalidField('currency', 'currency_differs', message)
}
