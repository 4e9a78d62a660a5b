import { findAccountCurrency } from '#server/catalog/inventory/account-currency.ts'
import type { ItemRow } from '#server/catalog/inventory/content.ts'
import { insertNewItems, itemCreated } from '#server/catalog/inventory/create-item.ts'
import { readSettings } from '#server/catalog/inventory/settings.ts'
import { isWithdrawal, writeChanges } from '#server/catalog/inventory/update-item.ts'
import { requireOpenAccount } from '#server/http/lock-user.ts'
import { isDatabaseUnavailable, isTimeout, type Queries, violatedUnique } from '#server/infra/db/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { HttpProblem, problem } from '#server/infra/errors.ts'
import { recordSteps } from '#server/selling/changes/record-step.ts'
import type { ListingEffect } from '#server/selling/listings/operations/queue-listing-update.ts'
import { recordWithdrawal } from '#server/selling/listings/take-down.ts'
import { type PastSale, recordPastSales } from '#server/selling/sales/past/record-past-sales.ts'
import type { Services } from '#server/services.ts'
import { emitEvents } from '#server/webhooks/emit.ts'
import type { ChangedListing, ImportedRow } from '#shared/contract/catalog/inventory-files.ts'
import { newId } from '#shared/identity.ts'
import { decimalFromMinor } from '#shared/money.ts'
import { type Decision, decideRows, type Importing, type ItemUpdate } from './deciding/decide-rows.ts'
import { findKnownSales } from './deciding/known-sales.ts'
import { findLookAlikes, type NumberedRow } from './deciding/look-alikes.ts'
import { nameRows } from './deciding/name-rows.ts'
import type { Answers } from './deciding/questions.ts'
import { editOf } from './file-edits.ts'
import type { File } from './read-file.ts'

/** Rows that are read, decided and written in one transaction. */
const batchSize = 100

/** Yields the answer to an import as JSON, a batch of rows at a time. A bad row fails alone. */
export async function* importItems(
  services: Services,
  user_id: number,
  { format, kind, rows, ignored_columns }: File,
  { isDryRun, currency, answers }: { isDryRun: boolean; currency: string | undefined; answers: Answers },
): AsyncGenerator<string> {
  const settings = await readSettings(services.db, user_id)
  const ofAccount = currency ?? (await findAccountCurrency(services.db, user_id)).currency
  const isConditionOptional = format !== 'hapax' || rows.every(({ cells }) => cells.condition === undefined)
  const nameOf = nameRows()
  const numbered = rows.map((row, index) => ({ ...row, number: index + 1, name: nameOf(row.cells) }))
  yield `${JSON.stringify({ dry_run: isDryRun, format, kind, ignored_columns }).slice(0, -1)},"results":[`
  const importing: FileImport = {
    ...{ services, user_id, isDryRun, isConditionOptional, planned: 0, seen: new Map(), answers },
    settings: { ...settings, default_currency: ofAccount },
    currency: currency ?? null,
    lookAlikes: await findLookAlikes(services, user_id, numbered, ofAccount),
    sales: await findKnownSales(
      services.db,
      user_id,
      numbered.map(({ name }) => name),
    ),
    offered: new Set(rows.flatMap(({ left, cells }) => (left ? [] : [cells.uid, cells.sku].filter(Boolean)))),
    ...{ digests: [], shown: new Set(), prices: newId('chg'), hasPrices: false },
    ...{ withdrawals: newId('chg'), edits: newId('chg'), sold: newId('chg'), added: newId('chg') },
  }
  const counts = { create: 0, update: 0, none: 0, fail: 0, ask: 0 }
  let sales = 0
  for (let at = 0; at < rows.length; at += batchSize) {
    const results = await importBatch(importing, numbered.slice(at, at + batchSize))
    for (const { action, sale } of results) {
      counts[action]++
      if (sale) sales++
    }
    yield `${at > 0 ? ',' : ''}${results.map((result) => JSON.stringify(result)).join(',')}`
  }
  const { create: created, update: updated, none: unchanged, fail: failed, ask: asked } = counts
  const change_uid = importing.hasPrices ? importing.prices : null
  const more = isDryRun
    ? { preview: importing.digests.join('') }
    : {
        change_uid,
        sales_change_uid: sales > 0 ? importing.sold : null,
        added_change_uid: created > sales ? importing.added : null,
      }
  yield `],${JSON.stringify({ created, updated, unchanged, failed, asked, sales, ...more }).slice(1)}`
}

/** An import that writes. */
interface FileImport extends Importing {
  /** The change that its new prices are, and whether there are any. */
  prices: string
  hasPrices: boolean
  /** The changes that its withdrawals, its sales of the past, its other new items and all its other edits are. */
  withdrawals: string
  sold: string
  added: string
  edits: string
}

/** Imports rows together. If that fails, imports each by itself, so that only the rows at fault fail. */
async function importBatch(importing: FileImport, rows: readonly NumberedRow[]): Promise<ImportedRow[]> {
  const { services, user_id, isDryRun } = importing
  const batch = Math.floor((rows[0]!.number - 1) / batchSize)
  try {
    const decisions = isDryRun
      ? await decideRows(services.db, importing, rows, batch)
      : await writeRows(importing, rows, batch)
    return rows.map((row, index) => resultOf(row, decisions[index]!, isDryRun))
  } catch (error) {
    const isLost = isDatabaseUnavailable(error) && !isTimeout(error)
    if (rows.length > 1 && !isLost) {
      const results: ImportedRow[] = []
      for (const row of rows) results.push(...(await importBatch(importing, [row])))
      return results
    }
    const cause = violatedUnique(error) === 'inventory_item_sku_key' ? problem('sku_in_use') : error
    if (!(cause instanceof HttpProblem)) {
      services.log.error({ err: error, user_id, row: rows[0]!.number }, 'rows of a file could not be imported')
    }
    return rows.map((row) => resultOf(row, { action: 'fail', uid: null, error: cause }, isDryRun))
  }
}

/** Decides rows and writes what follows, in one transaction. */
async function writeRows(importing: FileImport, rows: readonly NumberedRow[], batch: number): Promise<Decision[]> {
  const { services, user_id } = importing
  const { decisions, items, priced } = await transaction(services.db, 'import-rows', async (tx) => {
    await requireOpenAccount(tx, user_id)
    const decisions = await decideRows(tx, importing, rows, batch)
    const items = decisions.flatMap((decision) => (decision.action === 'create' ? [decision.item] : []))
    await insertNewItems(tx, user_id, items)
    await recordSales(tx, importing, decisions)
    await recordAdded(tx, importing, rows, decisions)
    const updates = decisions.filter((decision) => decision.action === 'update')
    const priced = await recordUpdates(tx, importing, updates)
    await writeChanges(
      tx,
      user_id,
      updates.map(({ change }) => change),
    )
    await emitEvents(tx, user_id, items.map(itemCreated))
    return { decisions, items, priced }
  })
  importing.hasPrices ||= priced > 0
  const itemBytes = items.reduce((sum, { description }) => sum + description.length, 0)
  services.quotas.add(user_id, { items: items.length, itemBytes })
  return decisions
}

/** Records the sales of the past, and that they can be taken back. */
async function recordSales(tx: Queries, importing: FileImport, decisions: readonly Decision[]): Promise<void> {
  const { services, user_id, sold: change_uid } = importing
  const made = decisions.flatMap((decision) =>
    decision.action === 'create' && decision.sale ? [{ ...decision.item, sale: decision.sale }] : [],
  )
  await recordPastSales(
    tx,
    services.config,
    user_id,
    made.map(({ uid, sale }) => ({ ...sale, item_uid: uid })),
  )
  await recordSteps(
    tx,
    user_id,
    made.map(({ uid, title, sale }) => ({
      ...{ user_id, change_uid, subject_uid: uid, kind: 'mark_sold', item_uid: uid, title, after: { row: sale.row } },
    })),
  )
}

/** Records the new items without a sale, so that they can be taken out again. */
async function recordAdded(
  tx: Queries,
  { user_id, added: change_uid }: FileImport,
  rows: readonly NumberedRow[],
  decisions: readonly Decision[],
): Promise<void> {
  const steps = decisions.flatMap((decision, index) => {
    if (decision.action !== 'create' || decision.sale) return []
    const { uid, title } = decision.item
    const after = { row: rows[index]!.name }
    return [{ user_id, change_uid, subject_uid: uid, kind: 'create', item_uid: uid, title, after } as const]
  })
  await recordSteps(tx, user_id, steps)
}

/** Records what items lose, so that it can be undone. Returns how many prices are new. */
async function recordUpdates(tx: Queries, importing: FileImport, updates: readonly ItemUpdate[]): Promise<number> {
  const { user_id, prices, withdrawals, edits } = importing
  for (const { uid: item_uid, change } of updates) {
    if (!isWithdrawal(change)) continue
    await recordWithdrawal(tx, { user_id, item_uid, change_uid: withdrawals, title: change.after.title })
  }
  const edited = updates.flatMap(({ uid, change }) => {
    const edit = editOf(change)
    const { title } = change.before
    const step = { user_id, change_uid: edits, subject_uid: uid, kind: 'edit_items', item_uid: uid, title } as const
    return edit ? [{ ...step, ...edit }] : []
  })
  await recordSteps(tx, user_id, edited)
  const priced = updates.filter(({ change: { before, after } }) => before.price_minor !== after.price_minor)
  await recordSteps(
    tx,
    user_id,
    priced.map(({ uid, change: { before, after }, listings }) => ({
      ...{ user_id, change_uid: prices, subject_uid: uid, kind: 'change_price', item_uid: uid, title: after.title },
      before: { price_minor: before.price_minor, listings: formerPrices(listings) },
      after: { price_minor: after.price_minor, currency: after.currency },
    })),
  )
  return priced.length
}

/** Returns the prices of live listings before they change, one for each platform. */
function formerPrices(listings: readonly ListingEffect[]) {
  const priced = listings.filter(({ next_minor, price_minor }) => next_minor !== null && price_minor > 0)
  return [...new Map(priced.map(({ platform, price_minor }) => [platform, { platform, price_minor }])).values()]
}

function resultOf({ number, cells }: NumberedRow, decision: Decision, isDryRun: boolean): ImportedRow {
  const about = { row: number, action: decision.action, sku: cells.sku || null, title: cells.title ?? '', errors: [] }
  if (decision.action === 'create') {
    const { item, changes, sale } = decision
    return { ...about, uid: isDryRun ? null : item.uid, changes, ...(sale ? { sale: saleToWire(sale) } : {}) }
  }
  const { uid } = decision
  if (decision.action === 'update') return { ...about, uid, ...updateToWire(decision) }
  if (decision.action === 'ask') {
    const { errors, update, like } = decision
    return {
      ...about,
      uid,
      errors,
      ...(update ? updateToWire(update) : {}),
      ...(like ? { like: likeToWire(like) } : {}),
    }
  }
  return { ...about, uid, errors: decision.error === undefined ? [] : errorsOf(decision.error) }
}

function saleToWire({ platform, sold_at, price_minor, fee_minor, shipping_minor, currency }: PastSale) {
  const amount = (minor: number | null) => (minor === null ? null : decimalFromMinor(minor, currency))
  return {
    ...{ platform, sold_at, price: decimalFromMinor(price_minor, currency), currency },
    ...{ fee: amount(fee_minor), shipping: amount(shipping_minor) },
  }
}

function updateToWire({ change, changes, listings }: ItemUpdate): Partial<ImportedRow> {
  const { currency } = change.after
  return { changes, currency, ...(listings.length > 0 ? { listings: listings.map(listingToWire) } : {}) }
}

function listingToWire({ price_minor, next_minor, currency, ends_sale, ...named }: ListingEffect): ChangedListing {
  const to = next_minor === null ? null : decimalFromMinor(next_minor, currency)
  return { ...named, from: decimalFromMinor(price_minor, currency), to, currency, ...(ends_sale ? { ends_sale } : {}) }
}

const likeToWire = ({ uid, sku, title, images }: ItemRow) => ({ uid, sku, title, image: images[0] ?? null })

function errorsOf(error: unknown): ImportedRow['errors'] {
  if (!(error instanceof HttpProblem)) {
    return [{ field: '', code: 'internal', message: 'could not be imported because of a fault of ours' }]
  }
  return error.errors?.length ? error.errors : [{ field: '', code: error.code, message: error.message }]
}
