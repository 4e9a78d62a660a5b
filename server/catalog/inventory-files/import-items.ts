import { findAccountCurrency } from '#server/catalog/inventory/account-currency.ts'
import { insertNewItems, itemCreated } from '#server/catalog/inventory/create-item.ts'
import { readSettings } from '#server/catalog/inventory/settings.ts'
import { writeChanges } from '#server/catalog/inventory/update-item.ts'
import { requireOpenAccount } from '#server/http/lock-user.ts'
import { isDatabaseUnavailable, isTimeout, violatedUnique } from '#server/infra/db/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { HttpProblem, problem } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import { emitEvents } from '#server/webhooks/emit.ts'
import type { ImportedRow } from '#shared/contract/inventory-files.ts'
import { type Decision, decideRows, type Importing, type NumberedRow } from './decide-rows.ts'
import { nameRows } from './name-rows.ts'
import type { File } from './read-file.ts'

/** Rows that are read, decided and written in one transaction. */
const batchSize = 100

/** Yields the answer to an import as JSON, a batch of rows at a time. A bad row fails alone. */
export async function* importItems(
  services: Services,
  user_id: number,
  { format, kind, rows, ignored_columns }: File,
  { isDryRun, currency }: { isDryRun: boolean; currency: string | undefined },
): AsyncGenerator<string> {
  const settings = await readSettings(services.db, user_id)
  const ofAccount = currency ?? (await findAccountCurrency(services.db, user_id)).currency
  const isConditionOptional = format !== 'hapax' || rows.every(({ cells }) => cells.condition === undefined)
  const importing: Importing = {
    ...{ services, user_id, isDryRun, isConditionOptional, planned: 0, seen: new Map() },
    settings: { ...settings, default_currency: ofAccount },
    currency: currency ?? null,
  }
  const counts = { create: 0, update: 0, none: 0, fail: 0 }
  const nameOf = nameRows()
  yield `${JSON.stringify({ dry_run: isDryRun, format, kind, ignored_columns }).slice(0, -1)},"results":[`
  for (let at = 0; at < rows.length; at += batchSize) {
    const batch = rows.slice(at, at + batchSize)
    const results = await importBatch(
      importing,
      batch.map((row, index) => ({ ...row, number: at + index + 1, name: nameOf(row.cells) })),
    )
    for (const { action } of results) counts[action]++
    yield `${at > 0 ? ',' : ''}${results.map((result) => JSON.stringify(result)).join(',')}`
  }
  const { create: created, update: updated, none: unchanged, fail: failed } = counts
  yield `],${JSON.stringify({ created, updated, unchanged, failed }).slice(1)}`
}

/** Imports rows together. If that fails, imports each by itself, so that only the rows at fault fail. */
async function importBatch(importing: Importing, rows: readonly NumberedRow[]): Promise<ImportedRow[]> {
  const { services, user_id, isDryRun } = importing
  try {
    const decisions = isDryRun ? await decideRows(services.db, importing, rows) : await writeRows(importing, rows)
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
async function writeRows(importing: Importing, rows: readonly NumberedRow[]): Promise<Decision[]> {
  const { services, user_id } = importing
  const { decisions, items } = await transaction(services.db, 'import-rows', async (tx) => {
    await requireOpenAccount(tx, user_id)
    const decisions = await decideRows(tx, importing, rows)
    const items = decisions.flatMap((decision) => (decision.action === 'create' ? [decision.item] : []))
    await insertNewItems(tx, user_id, items)
    await writeChanges(
      tx,
      user_id,
      decisions.flatMap((decision) => (decision.action === 'update' ? [decision.change] : [])),
    )
    await emitEvents(tx, user_id, items.map(itemCreated))
    return { decisions, items }
  })
  const itemBytes = items.reduce((sum, { description }) => sum + description.length, 0)
  services.quotas.add(user_id, { items: items.length, itemBytes })
  return decisions
}

function resultOf({ number, cells }: NumberedRow, decision: Decision, isDryRun: boolean): ImportedRow {
  const about = { row: number, action: decision.action, sku: cells.sku || null, title: cells.title ?? '', errors: [] }
  if (decision.action === 'create') {
    return { ...about, uid: isDryRun ? null : decision.item.uid, changes: decision.changes }
  }
  const { uid } = decision
  if (decision.action === 'update') return { ...about, uid, changes: decision.changes }
  return { ...about, uid, errors: decision.error === undefined ? [] : errorsOf(decision.error) }
}

function errorsOf(error: unknown): ImportedRow['errors'] {
  if (!(error instanceof HttpProblem)) {
    return [{ field: '', code: 'internal', message: 'could not be imported because of a fault of ours' }]
  }
  return error.errors?.length ? error.errors : [{ field: '', code: error.code, message: error.message }]
}
