import type { z } from 'zod'
import { itemUrl } from '#server/catalog/inventory/build-record.ts'
import { changeItem } from '#server/catalog/inventory/change-item.ts'
import { type DescribedItem, describeItem } from '#server/catalog/inventory/create-item.ts'
import { readItems } from '#server/catalog/inventory/read-items.ts'
import type { ChangedItem } from '#server/catalog/inventory/update-item.ts'
import { describeIssue } from '#server/http/answers/describe-issue.ts'
import { invalidRequest } from '#server/http/answers/translate-error.ts'
import type { Queries } from '#server/infra/db/index.ts'
import { HttpProblem, invalidField, problem } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import {
  createInventoryItem,
  type FieldChange,
  type SellerSettings,
  updateInventoryItem,
} from '#shared/contract/inventory.ts'
import { conditionNotStated } from '#shared/placeholders.ts'
import { type Cells, changedColumns, changesBetween, editableCells, readCells } from './columns.ts'
import * as sql from './queries.ts'
import type { Row } from './read-file.ts'

const newItemStates = ['available', 'reserved', 'withdrawn'] as const

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
}

export interface NumberedRow extends Row {
  /** Its place in the file, from 1. */
  number: number
  /** Names the row at a repeated import, where no uid or SKU does. */
  name: string
}

/** The change that a row asks for. */
export type Decision =
  | { action: 'create'; item: DescribedItem; changes: FieldChange[] }
  | { action: 'update'; uid: string; change: ChangedItem; changes: FieldChange[] }
  /** `error`: why the row is left out, where its item is like that already. */
  | { action: 'none'; uid: string; error?: unknown }
  | { action: 'fail'; uid: string | null; error: unknown }

type Item = Awaited<ReturnType<typeof readItems>> extends Map<string, infer Value> ? Value : never

/** Decides about rows in their order. Locks the items that they are about, except in a dry run. Writes nothing. */
export async function decideRows(
  queries: Queries,
  importing: Importing,
  rows: readonly NumberedRow[],
): Promise<Decision[]> {
  const { services, user_id, isDryRun } = importing
  const identify = await findItems(queries, user_id, rows)
  const found = rows.map(identify.find)
  const uids = found.flatMap(({ uid, isRepeated }) => (uid === null || isRepeated ? [] : [uid]))
  if (!isDryRun) await queries.any(sql.lockItems({ user_id, uids }))
  const items = await readItems(queries, services.config.PUBLIC_URL, { user_id, uids })
  const decisions: Decision[] = []
  let added = 0
  for (const [index, row] of rows.entries()) {
    const { uid, isRepeated } = found[index]!
    try {
      const item = uid === null ? undefined : items.get(uid)
      if (row.left) {
        const error = invalidField(row.left.field, 'left_out', row.left.reason)
        // An export has sold items. They stay as they are.
        if (!row.left.isSold || !item || item.row.state !== 'sold') throw error
        decisions.push({ action: 'none', uid: item.row.uid, error })
        continue
      }
      if (row.errors) throw problem('invalid_request', undefined, { errors: row.errors })
      refuseSecond(importing.seen, row, isRepeated ? null : uid)
      if (uid !== null && isRepeated) decisions.push({ action: 'none', uid })
      else if (item) {
        refuseTaken(row.cells.sku, identify.ownerOf(row.cells.sku), item.row.uid)
        decisions.push(decideChange(importing, row.cells, item))
      } else {
        await services.quotas.requireItemQuota(user_id, importing.planned + added)
        decisions.push(decideNew(importing, row))
        added++
      }
    } catch (error) {
      if (!(error instanceof HttpProblem)) {
        services.log.error({ err: error, user_id, row: row.number }, 'a row could not be decided')
      }
      decisions.push({ action: 'fail', uid, error })
    }
  }
  if (isDryRun) importing.planned += added
  return decisions
}

/** Finds the items of rows: by uid, else by SKU, else the item that the row made before. */
async function findItems(queries: Queries, user_id: number, rows: readonly NumberedRow[]) {
  const values = (name: string) => rows.map(({ cells }) => cells[name] ?? '').filter(Boolean)
  const known = await queries.any(
    sql.findKnown({ user_id, uids: values('uid'), skus: values('sku'), file_rows: rows.map(({ name }) => name) }),
  )
  const own = known.filter(({ redirect_uid }) => redirect_uid === null)
  const byUid = new Set(own.map(({ uid }) => uid))
  const bySku = new Map(own.map(({ uid, sku }) => [sku, uid]))
  const byRow = new Map(known.map(({ uid, file_row, redirect_uid }) => [file_row, redirect_uid ?? uid]))
  return {
    find: ({ cells: { uid = '', sku = '' }, name }: NumberedRow): { uid: string | null; isRepeated: boolean } => {
      const named = byUid.has(uid) ? uid : sku === '' ? undefined : bySku.get(sku)
      if (named !== undefined) return { uid: named, isRepeated: false }
      const made = sku === '' ? byRow.get(name) : undefined
      return { uid: made ?? null, isRepeated: made !== undefined }
    },
    ownerOf: (sku: string | undefined) => (sku ? bySku.get(sku) : undefined),
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

function decideNew(importing: Importing, row: NumberedRow): Decision {
  const item = newItem(importing, row)
  const cells = editableCells(item, itemUrl(importing.services.config.PUBLIC_URL, item.uid))
  // The day of inspection and the policies that the row does not name are the server's.
  const made = ['inspected_at', 'shipping_policy_url', 'returns_policy_url', 'state'].filter((name) => !row.cells[name])
  const changes = changesBetween(null, cells).filter(({ field }) => !made.includes(field))
  return { action: 'create', item, changes }
}

function newItem({ services, isConditionOptional, settings }: Importing, row: NumberedRow): DescribedItem {
  const cells =
    isConditionOptional && !row.cells.condition ? { ...row.cells, condition: conditionNotStated } : row.cells
  // A condition of a new item is required, so that the error names its label.
  const given = readCells(cells, Object.keys(cells), { current: {}, currency: settings.default_currency })
  const body = parse(createInventoryItem.body, { condition: {}, offer: {}, ...given })
  const state = newItemStates.find((one) => one === (cells.state || 'available'))
  if (!state) {
    throw invalidField('state', 'invalid_value', 'of a new item must be available, reserved or withdrawn')
  }
  if (body.offer.currency === undefined && settings.default_currency === null) {
    throw invalidField('currency', 'required', 'is needed: neither your settings nor a connected shop names one')
  }
  const item = describeItem(services, body, settings, state)
  return item.sku === null ? { ...item, file_row: row.name } : item
}

function decideChange(importing: Importing, cells: Cells, { item, row }: Item): Decision {
  const { uid } = row
  const page = itemUrl(importing.services.config.PUBLIC_URL, uid)
  const current = editableCells(row, page)
  const names = changedColumns(cells, current)
  requireCurrency(importing, cells, names, row.currency)
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
  return { action: 'update', uid, change: { before: row, after }, changes }
}

/** Throws 400 for amounts in another currency than the item's: 45 dollars are not 45 yen. */
function requireCurrency(importing: Importing, cells: Cells, names: readonly string[], currency: string): void {
  const isAmount = names.includes('price') || names.includes('cost')
  const theirs = cells.currency || (isAmount ? importing.currency : null)
  if (!theirs || theirs === currency) return
  const message = `is ${theirs.slice(0, 20)} in the file and ${currency} in Hapax. Change it in Hapax first, or the file`
  throw invalidField('currency', 'currency_differs', message)
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value, { error: describeIssue })
  if (parsed.success) return parsed.data
  throw invalidRequest(parsed.error)
}
