import { z } from 'zod'
import type { TakeDownState } from '#extension/messaging/take-downs.ts'
import { downSteps } from '#extension/platforms/take-down/steps.ts'
import { TakeDownResult } from '#shared/contract/selling/tasks.ts'
import { ExtensionSlug } from '#shared/platforms.ts'
import { readSession, type Session } from '../session/session.ts'
import type { Store } from '../session/store.ts'
import { type KeepDeps, storeForSession } from '../session/store-for-session.ts'

/** The attempt that is under way. */
const Running = z.object({
  attempt_id: z.string(),
  task: z.string(),
  item: z.string(),
  title: z.string(),
  platform: ExtensionSlug,
  url: z.string(),
  tab: z.int(),
  begun_at: z.number(),
  pressed: z.array(z.object({ press: z.string(), step: z.enum(downSteps), word: z.string() })),
})
export type Running = z.infer<typeof Running>

const Entry = z.object({
  ...{ task: z.string(), item: z.string(), title: z.string(), platform: ExtensionSlug, url: z.string() },
  ...{ begun_at: z.number(), ended_at: z.number(), pressed: z.array(z.string()), result: TakeDownResult },
  seen: z.string().nullable(),
  closed: z.boolean().nullable(),
  attempt_id: z.string(),
  /** The server knows the result. */
  told: z.boolean(),
})
export type Entry = z.infer<typeof Entry>

/** Where listings end by themselves in this browser, the attempt under way, and the log. Off unless switched on. */
const Kept = z
  .object({ on: z.array(ExtensionSlug), running: Running.nullable(), log: z.array(Entry) })
  .catch({ on: [], running: null, log: [] })
export type Kept = z.infer<typeof Kept>

const name = 'take_downs'

/** Returns what is kept for the current session. */
export async function readTakeDowns(store: Store): Promise<Kept> {
  return Kept.parse(await store.get(name))
}

/** Returns what the screens show. */
export async function readTakeDownState(store: Store): Promise<TakeDownState> {
  const { on, running } = await readTakeDowns(store)
  if (!running) return { on, running }
  const { task, title, platform, begun_at } = running
  return { on, running: { task, title, platform, begun_at } }
}

/**
 * Changes what is kept, one change at a time, and returns what `change` returns. Stores nothing if another session has
 * begun or if `change` leaves `kept` out.
 */
export async function changeTakeDowns<T>(
  deps: KeepDeps,
  session: Session,
  change: (kept: Kept) => Promise<{ kept?: Kept; value: T }> | { kept?: Kept; value: T },
): Promise<T> {
  return deps.locks.request('hapax-take-downs', async () => {
    const { kept, value } = await change(await readTakeDowns(deps.store))
    if (kept) await storeForSession(deps, session, name, kept)
    return value
  }) as Promise<T>
}

/** Returns the current session, or null while its key is not accepted. */
export async function takeDownSession(store: Store): Promise<Session | null> {
  const session = await readSession(store)
  return session?.status === 'active' ? session : null
}
