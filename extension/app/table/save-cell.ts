import { sendAgain } from '#extension/messaging/send-again.ts'
import type { InventoryRow } from '#extension/storage/inventory-cache/row.ts'
import { call } from '../host.ts'
import type { readCell } from './edit-cell.ts'
import { text } from './words.ts'

/** Waits between looks at the job in ms, the first ones short: a single item takes a moment. */
const waits = [100, 150, 250, 500, 1_000, 1_000, 2_000, 5_000]

/** A refusal, in words for the seller. */
export class CellRefusedError extends Error {
  override name = 'CellRefusedError'
}

/**
 * Saves one cell as a bulk change of one item, so that it can be undone for 30 days as any other. Returns the change.
 * Throws `CellRefusedError` for a value that the server does not take, and MessageError if it does not answer.
 */
export async function saveCell(
  row: InventoryRow,
  change: NonNullable<ReturnType<typeof readCell>>,
): Promise<string | null> {
  const [uids, headers] = [[row.uid], { 'idempotency-key': crypto.randomUUID() }]
  let { uid, ...job } = await sendAgain(() =>
    change.price
      ? call('bulkPrice', { body: { uids, change: change.price }, headers })
      : call('bulkEdit', { body: { uids, edits: [change.edit!] }, headers }),
  )
  for (const wait of waits) {
    await new Promise((resolve) => setTimeout(resolve, wait))
    const answer = await sendAgain(() => call('getBulkJob', { params: { uid }, query: { page_size: '100' } }))
    job = answer.job
    if (job.status === 'completed') {
      const [failed] = answer.results.filter(({ status }) => status === 'failed')
      if (!failed) return job.change_uid
      throw new CellRefusedError(
        failed.error_code === 'sku_in_use'
          ? text('form.problem.sku_in_use')
          : (failed.error_message ?? text('form.problem.refused')),
      )
    }
  }
  throw new CellRefusedError(text('cell.late'))
}
