import { type TakeDownEntry, takeDownLimits } from '#extension/messaging/take-downs.ts'
import { HapaxError } from '#shared/client/error.ts'
import { type ExtensionTask, listTasks } from '#shared/contract/selling/tasks.ts'
import { ExtensionSlug } from '#shared/platforms.ts'
import { activeSession, type WorkerContext } from '../context.ts'
import { ServerUnreachable } from '../session/api.ts'
import { readTakeDowns } from '../take-downs/state.ts'
import type { PopupHandlers } from './answer-page.ts'

/** Handlers for ending listings by themselves. */
export function takeDownHandlers(context: WorkerContext): Pick<PopupHandlers, 'takeDowns.log' | 'takeDowns.switch'> {
  return {
    async 'takeDowns.log'() {
      const session = await activeSession(context)
      const own = (await readTakeDowns(context.store)).log.map(({ attempt_id, told, ...entry }) => entry)
      try {
        const query = { attempted: 'true', page_size: '100' } as const
        const { results } = await context.clientOf(session)(listTasks, { query })
        const others = results.flatMap(entryOf).filter(({ task }) => !own.some((one) => one.task === task))
        return [...own, ...others].sort((one, other) => other.begun_at - one.begun_at).slice(0, takeDownLimits.keep)
      } catch (error) {
        // The log of this browser needs no server.
        if (error instanceof ServerUnreachable || error instanceof HapaxError) return own
        throw error
      }
    },

    async 'takeDowns.switch'({ platform, on }) {
      await activeSession(context)
      await context.switchTakeDowns(platform, on)
      if (on) await context.takeDownNext()
      return null
    },
  }
}

/** Returns the attempt of a task, made by any browser, once it has ended. */
function entryOf(task: ExtensionTask): TakeDownEntry[] {
  const { attempt, uid, inventory_item_uid: item, title, url } = task
  const platform = ExtensionSlug.safeParse(task.platform).data
  if (!attempt?.result || !attempt.ended_at || !platform) return []
  const { pressed, result, seen } = attempt
  const [begun_at, ended_at] = [Date.parse(attempt.begun_at), Date.parse(attempt.ended_at)]
  return [{ task: uid, item, title, platform, url, begun_at, ended_at, pressed, result, seen, closed: null }]
}
