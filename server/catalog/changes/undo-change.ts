import { undoDecision } from '#server/catalog/differences/undo-decision.ts'
import { importContention } from '#server/catalog/imports/contention.ts'
import { undoAnswer } from '#server/catalog/imports/resolve/undo-answer.ts'
import { undoImport } from '#server/catalog/imports/resolve/undo-import.ts'
import { undoWithdrawal } from '#server/catalog/inventory/update-item.ts'
import { restoreFileEdits } from '#server/catalog/inventory-files/file-edits.ts'
import { takeBackAdded, takeBackFileSales } from '#server/catalog/inventory-files/file-sales.ts'
import { requireOpenAccount } from '#server/http/lock-user.ts'
import { type Queries, type Transaction, violatedUnique } from '#server/infra/db/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { HttpProblem, problem } from '#server/infra/errors.ts'
import { askAgain } from '#server/selling/alerts/answer-question.ts'
import type { UndoStep } from '#server/selling/changes/record-step.ts'
import { restoreEdits } from '#server/selling/listings/bulk/edit-items.ts'
import { restorePrices } from '#server/selling/listings/change-item-price.ts'
import { undoTakeDown } from '#server/selling/listings/take-down.ts'
import { saleContention } from '#server/selling/sales/contention.ts'
import { holdAgain, takeBackSale } from '#server/selling/sales/take-back-sale.ts'
import type { Services } from '#server/services.ts'
import type { Change } from '#shared/contract/catalog/changes.ts'
import { readChange } from './list-changes.ts'
import * as sql from './queries.ts'

type StoredStep = Required<UndoStep> & { at: string; undone_at: string | null }

interface Undone {
  undone: number
  kept: number
}

type Restore = (services: Services, tx: Transaction, given: Parameters<typeof restoreEdits>[1]) => Promise<string[]>

/** Undo edits of many items, some in one transaction. Each returns the items that are as before. */
const restores: Record<'edit_items' | 'change_price' | 'mark_sold' | 'create', Restore> = {
  edit_items: ({ config }, tx, given) =>
    given.steps.some(({ after }) => 'edited' in after)
      ? restoreFileEdits(tx, config.PUBLIC_URL, given)
      : restoreEdits(tx, given),
  change_price: (_, tx, given) => restorePrices(tx, given),
  mark_sold: takeBackFileSales,
  create: takeBackAdded,
}
const itemsAtOnce = 50

/** Returns whether steps like this are undone some at a time. Of these kinds only those of a file's rows are. */
const isOneOfMany = ({ kind, after }: Pick<StoredStep, 'kind' | 'after'>) =>
  kind in restores && ((kind !== 'mark_sold' && kind !== 'create') || 'row' in after)

/**
 * Undoes a change of the last 30 days, each step in its own transaction, and edits and prices of many items some at a
 * time. A step whose subject has changed since stays as it is. Throws 404 for an unknown change, and 409 `changed_since` if all that is left of it has changed, or the first
 * reason why a listing cannot be listed again.
 */
export async function undoChange(
  services: Services,
  user_id: number,
  change_uid: string,
): Promise<Undone & { change: Change; reason?: string }> {
  await readChange(services.db, user_id, change_uid)
  const steps = await services.db.any(sql.findSteps({ user_id, change_uid }))
  const total: Undone = { undone: 0, kept: 0 }
  let refusal: HttpProblem | null = null
  const open = steps.filter(({ undone_at }) => undone_at === null)
  for (const kind of ['edit_items', 'change_price', 'mark_sold', 'create'] as const) {
    const edits = open.filter((step) => step.kind === kind && isOneOfMany(step)).map(({ subject_uid }) => subject_uid)
    for (let at = 0; at < edits.length; at += itemsAtOnce) {
      const subject_uids = edits.slice(at, at + itemsAtOnce)
      const result = await undoEdits(services, kind, { user_id, change_uid, subject_uids })
      total.undone += result.undone
      total.kept += result.kept
    }
  }
  for (const step of open.filter((one) => !isOneOfMany(one))) {
    const result = await undoStep(services, { ...step, user_id })
    total.undone += result.undone
    total.kept += result.kept
    refusal ??= result.refusal ?? null
  }
  if (total.undone === 0 && total.kept > 0) {
    throw (
      refusal ??
      problem('changed_since', 'It has changed since, so undoing it would lose something. Change it by hand.')
    )
  }
  const reason = refusal ? { reason: refusal.message } : {}
  return { change: await readChange(services.db, user_id, change_uid), ...total, ...reason }
}

function undoEdits(
  services: Services,
  kind: keyof typeof restores,
  given: { user_id: number; change_uid: string; subject_uids: string[] },
): Promise<Undone> {
  return transaction(
    services.db,
    'undo-edits',
    async (tx) => {
      await requireOpenAccount(tx, given.user_id)
      const steps = await tx.any(sql.lockSteps(given))
      const restored = await restores[kind](services, tx, { ...given, steps })
      await tx.none(sql.markAllUndone({ ...given, subject_uids: restored }))
      return { undone: restored.length, kept: steps.length - restored.length }
    },
    importContention,
  )
}

async function undoStep(services: Services, step: StoredStep): Promise<Undone & { refusal?: HttpProblem }> {
  try {
    switch (step.kind) {
      case 'import_job':
        return await undoImport(services, step, (tx) => tx.none(sql.markUndone(step)))
      case 'mark_sold':
        await undoSale(services, step)
        return { undone: 1, kept: 0 }
      case 'take_back_hold':
        return await transaction(
          services.db,
          'undo-take-back',
          (tx) => undoIn(tx, step, () => holdAgain(tx, step, services.now())),
          saleContention,
        )
      case 'take_down':
        return await transaction(
          services.db,
          'undo-take-down',
          (tx) => undoIn(tx, step, () => undoTakeDown(services, tx, step)),
          importContention,
        )
      case 'withdraw':
        return await transaction(
          services.db,
          'undo-withdrawal',
          (tx) => undoIn(tx, step, () => (step.platform ? undoTakeDown(services, tx, step) : undoWithdrawal(tx, step))),
          importContention,
        )
      case 'adopt':
      case 'overwrite_listing':
      case 'ignore_difference':
        return await transaction(
          services.db,
          'undo-decision',
          (tx) => undoIn(tx, step, () => undoDecision(tx, step)),
          importContention,
        )
      default:
        return await transaction(
          services.db,
          'undo-answer',
          (tx) => undoIn(tx, step, () => undoAnswer(services, tx, step)),
          importContention,
        )
    }
  } catch (error) {
    if (violatedUnique(error) === 'inventory_item_sku_key') return { undone: 0, kept: 1 }
    if (error instanceof HttpProblem && error.code === 'changed_since') return { undone: 0, kept: 1 }
    // Other listings of the change may still be listed again.
    const isListing = step.kind === 'take_down' || step.kind === 'withdraw'
    if (isListing && error instanceof HttpProblem && error.code !== 'unauthenticated') {
      return { undone: 0, kept: 1, refusal: error }
    }
    throw error
  }
}

/** Undoes a step in its transaction, unless another request was first. */
async function undoIn(tx: Queries, step: StoredStep, undo: () => Promise<void>): Promise<Undone> {
  await requireOpenAccount(tx, step.user_id)
  if (!(await tx.oneOrNone(sql.lockStep(step)))) return { undone: 0, kept: 0 }
  await undo()
  await tx.none(sql.markUndone(step))
  return { undone: 1, kept: 0 }
}

/** Takes back the sale that the seller marked, unless it is another one by now or was taken back. */
async function undoSale(services: Services, step: StoredStep): Promise<void> {
  const { user_id, before, after } = step
  const { external_order_id, reference } = after as { external_order_id: string; reference?: string }
  try {
    await takeBackSale(services, { user_id, item_uid: step.subject_uid, external_order_id }, async (tx, reply) => {
      if (reference) await askAgain(tx, { user_id, reference, before })
      await tx.none(sql.markUndone(step))
      return reply
    })
  } catch (error) {
    const isGone = error instanceof HttpProblem && (error.code === 'conflict' || error.code === 'not_found')
    throw isGone ? problem('changed_since', undefined, { cause: error }) : error
  }
}
