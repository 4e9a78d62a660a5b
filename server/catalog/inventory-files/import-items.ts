import type { z } from 'zod'
import { createItem } from '#server/catalog/inventory/create-item.ts'
import { readItem } from '#server/catalog/inventory/read-items.ts'
import { readSettings } from '#server/catalog/inventory/settings.ts'
import { updateItem } from '#server/catalog/inventory/update-item.ts'
import { describeIssue } from '#server/http/describe-issue.ts'
import { keepNothing } from '#server/http/idempotency.ts'
import { invalidRequest } from '#server/http/translate-error.ts'
import { sql } from '#server/infra/db/index.ts'
import { HttpProblem, invalidField } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import { createInventoryItem, type InventoryItem, updateInventoryItem } from '#shared/contract/inventory.ts'
import type { ImportedRow } from '#shared/contract/inventory-files.ts'
import { conditionNotStated } from '#shared/inventory-record.ts'
import { type Cells, cellsOf, changedColumns, readCells } from './columns.ts'
import type { File, Row } from './read-file.ts'

const findKnown = sql(import.meta.url, './sql/find-known.sql')

const newItemStates = ['available', 'reserved', 'withdrawn'] as const

/** Rows whose items are looked up together, and rows handled at once. */
const [lookedUp, atOnce] = [500, 4]

interface Importing {
  services: Services
  user_id: number
  isDryRun: boolean
  /** Whether another program made the file. It may know no condition. */
  isForeign: boolean
  /** The currency of rows without one. */
  currency: string | null
  /** Every uid and SKU of the rows so far. A second row for an item would undo the first. */
  seen: Set<string>
}

/** Yields the answer to an import as JSON, row by row. Each row is handled by itself, as by the API's own calls. */
export async function* importItems(
  services: Services,
  user_id: number,
  { format, rows, ignored_columns }: File,
  { isDryRun, currency: given }: { isDryRun: boolean; currency: string | undefined },
): AsyncGenerator<string> {
  const currency = given ?? (await readSettings(services.db, user_id)).default_currency
  const importing: Importing = {
    ...{ services, user_id, isDryRun, currency },
    isForeign: format !== 'hapax',
    seen: new Set(),
  }
  const counts = { create: 0, update: 0, none: 0, fail: 0 }
  yield `{"dry_run":${isDryRun},"format":"${format}","ignored_columns":${JSON.stringify(ignored_columns)},"results":[`
  for (let at = 0; at < rows.length; at += lookedUp) {
    const part = rows.slice(at, at + lookedUp)
    const uids = await findItems(
      importing,
      part.map(({ cells }) => cells),
    )
    for (let from = 0; from < part.length; from += atOnce) {
      const now = part.slice(from, from + atOnce)
      const results = await Promise.all(
        now.map((row, index) => importRow(importing, row, at + from + index + 1, uids[from + index] ?? null)),
      )
      for (const { action } of results) counts[action]++
      yield `${at + from > 0 ? ',' : ''}${results.map((result) => JSON.stringify(result)).join(',')}`
    }
  }
  const { create: created, update: updated, none: unchanged, fail: failed } = counts
  yield `],${JSON.stringify({ created, updated, unchanged, failed }).slice(1)}`
}

/** Returns the uid of the item that each row is about, null for a new one. */
async function findItems({ services, user_id }: Importing, rows: readonly Cells[]): Promise<(string | null)[]> {
  const values = (name: string) => rows.map((cells) => cells[name] ?? '').filter(Boolean)
  const known = await services.db.any<{ uid: string; sku: string | null }>(findKnown, {
    ...{ user_id, uids: values('uid'), skus: values('sku') },
  })
  const byUid = new Set(known.map(({ uid }) => uid))
  const bySku = new Map(known.map(({ uid, sku }) => [sku, uid]))
  return rows.map(({ uid = '', sku = '' }) => (byUid.has(uid) ? uid : (bySku.get(sku) ?? null)))
}

async function importRow(
  importing: Importing,
  { cells, left }: Row,
  row: number,
  uid: string | null,
): Promise<ImportedRow> {
  const about = { row, uid, sku: cells.sku || null, title: cells.title ?? '', errors: [] }
  try {
    if (left) throw invalidField('', 'left_out', left)
    refuseSecond(importing.seen, cells, uid)
    return { ...about, ...(uid === null ? await create(importing, cells) : await update(importing, cells, uid)) }
  } catch (error) {
    if (!(error instanceof HttpProblem)) {
      importing.services.log.error({ err: error, user_id: importing.user_id, row }, 'a row could not be imported')
    }
    return { ...about, action: 'fail', errors: errorsOf(error) }
  }
}

function refuseSecond(seen: Set<string>, { sku }: Cells, uid: string | null): void {
  const names = [...(uid === null ? [] : [`uid ${uid}`]), ...(sku ? [`sku ${sku}`] : [])]
  if (names.some((name) => seen.has(name))) {
    throw invalidField(uid === null ? 'sku' : 'uid', 'given_twice', 'is that of an earlier row')
  }
  for (const name of names) seen.add(name)
}

async function create(
  { services, user_id, isDryRun, isForeign, currency }: Importing,
  row: Cells,
): Promise<Pick<ImportedRow, 'action' | 'uid'>> {
  const cells = isForeign && !row.condition ? { ...row, condition: conditionNotStated } : row
  // A condition of a new item is required, so that the error names its label.
  const given = readCells(cells, Object.keys(cells), { current: null, currency })
  const body = parse(createInventoryItem.body, { condition: {}, offer: {}, ...given })
  const state = newItemStates.find((one) => one === (cells.state || 'available'))
  if (!state) {
    throw invalidField('state', 'invalid_value', 'of a new item must be available, reserved or withdrawn')
  }
  if (body.offer.currency === undefined && currency === null) {
    throw invalidField('currency', 'required', 'is needed: your settings name none')
  }
  if (isDryRun) return { action: 'create', uid: null }
  if (currency !== null) body.offer.currency ??= currency
  const { uid } = (await createItem(services, user_id, body, keepNothing, state)).body
  return { action: 'create', uid }
}

async function update(
  { services, user_id, isDryRun }: Importing,
  cells: Cells,
  uid: string,
): Promise<Pick<ImportedRow, 'action'>> {
  const current = await readItem(services.db, services.config.PUBLIC_URL, { user_id, uid })
  const names = changedColumns(cells, cellsOf(current))
  const change = changeOf(cells, names, current)
  if (Object.keys(change).length === 0) return { action: 'none' }
  const body = parse(updateInventoryItem.body, change)
  if (!isDryRun) await updateItem(services, { user_id, uid }, body, String(current.version))
  return { action: 'update' }
}

function changeOf(cells: Cells, names: readonly string[], current: InventoryItem): Record<string, unknown> {
  const { currency } = current.record.offer
  const change = readCells(cells, names, { current, currency })
  return names.includes('state') && cells.state ? { ...change, state: cells.state } : change
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value, { error: describeIssue })
  if (parsed.success) return parsed.data
  throw invalidRequest(parsed.error)
}

function errorsOf(error: unknown): ImportedRow['errors'] {
  if (!(error instanceof HttpProblem)) {
    return [{ field: '', code: 'internal', message: 'could not be imported because of a fault of ours' }]
  }
  return error.errors?.length ? error.errors : [{ field: '', code: error.code, message: error.message }]
}
