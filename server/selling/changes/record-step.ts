import type { Queries } from '#server/infra/db/index.ts'
import type { ChangeKind } from '#shared/contract/catalog/changes.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import * as sql from './queries.ts'

/** One thing that an act of the seller changed, with what undoing it needs. */
export interface UndoStep {
  user_id: number
  /** Shared by everything that one act changed. */
  change_uid: string
  /** The import item that was decided, the item that was sold, or the import job. */
  subject_uid: string
  kind: ChangeKind
  item_uid?: string | null
  job_uid?: string | null
  seller_account_uid?: string | null
  platform?: PlatformSlug | null
  title?: string
  before?: object
  after?: object
}

/** Records a step in the transaction of the act, so that it can be undone for 30 days. */
export function recordStep(tx: Queries, step: UndoStep): Promise<void> {
  return recordSteps(tx, step.user_id, [step])
}

/** Records steps of one user in the transaction of the act. */
export async function recordSteps(tx: Queries, user_id: number, steps: readonly UndoStep[]): Promise<void> {
  const rows = steps.map((step) => ({ title: '', before: {}, after: {}, ...step }))
  await tx.none(sql.insertSteps({ user_id, rows: JSON.stringify(rows) }))
}

/** Returns the change that a subject was last part of, null if there is none or it is undone. */
export async function findChange(tx: Queries, step: Pick<UndoStep, 'user_id' | 'subject_uid'>): Promise<string | null> {
  const found = await tx.oneOrNone(sql.findChange(step))
  return found?.change_uid ?? null
}
