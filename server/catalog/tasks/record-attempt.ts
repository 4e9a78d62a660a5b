import { transaction } from '#server/infra/db/transaction.ts'
import { notFound, problem } from '#server/infra/errors.ts'
import { getTask } from '#server/selling/tasks/list-tasks.ts'
import type { Services } from '#server/services.ts'
import type { ExtensionTask, TakeDownResult } from '#shared/contract/selling/tasks.ts'
import * as sql from './queries.ts'

/** An extension's word about its attempt to end a listing by itself, before each press and at the end. */
interface AttemptReport {
  attempt_id: string
  pressed: string[]
  result?: TakeDownResult
  seen?: string
}

/**
 * Begins, continues or ends the one attempt to end a task's listing by itself, and returns the task. Throws 404, and 409
 * if another attempt was made, or if it goes on although the task is over or its item is not sold elsewhere any more.
 */
export async function recordAttempt(
  services: Pick<Services, 'db' | 'now'>,
  user_id: number,
  uid: string,
  { attempt_id, pressed, result, seen }: AttemptReport,
): Promise<ExtensionTask> {
  return transaction(services.db, 'record-attempt', async (tx) => {
    if (!(await tx.oneOrNone(sql.lockTask({ user_id, uid })))) throw notFound()
    const task = await getTask(tx, user_id, uid)
    const before = task.attempt
    if (before ? before.attempt_id !== attempt_id : result) {
      throw problem('conflict', 'An extension has tried this task before.')
    }
    if (before?.result) {
      if (before.result === result) return task
      throw problem('conflict', 'The attempt is over.')
    }
    if (!result && !task.sold_elsewhere)
      throw problem('conflict', 'The item is not sold elsewhere, or the task is over.')
    const now = services.now().toISOString()
    const attempt = {
      ...{ attempt_id, pressed, begun_at: before?.begun_at ?? now },
      ...{ ended_at: result ? now : null, result: result ?? null, seen: seen ?? null },
    }
    await tx.none(sql.storeAttempt({ user_id, uid, attempt }))
    return { ...task, attempt }
  })
}
