import type { WorkerContext } from '../context.ts'
import type { Alarms } from '../create-worker.ts'
import { hasUnsent, pushOutbox } from './push.ts'

/**
 * Uploads what is queued. The alarm is set first, so that a killed worker is woken to continue, and cleared when
 * nothing is left.
 */
export async function schedulePush(context: WorkerContext, alarms: Alarms, eager = false): Promise<void> {
  const importQueue = await context.importQueue()
  if (!(await hasUnsent(importQueue))) return alarms.clear('push')
  await alarms.set('push', 1)
  const outcome = await pushOutbox({ ...context, importQueue }, eager)
  if (outcome.kind === 'later') await alarms.set('push', 1, outcome.retryAt)
  else if (!(await hasUnsent(importQueue)) || outcome.kind === 'signed_out') await alarms.clear('push')
}
