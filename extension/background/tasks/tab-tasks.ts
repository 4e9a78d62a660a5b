import { z } from 'zod'
import type { NextTask, TabTasks, ToTakeDown } from '#extension/messaging/tab-tasks.ts'
import type { ExtensionTask } from '#shared/contract/selling/tasks.ts'
import { type ExtensionSlug, platformOf } from '#shared/platforms.ts'

/** A task bound to a tab. Kept until it is done, closed or expired. */
export const TabTask = z.object({
  tab: z.int(),
  task: z.string(),
  /** The task's item, which outlives the task here. */
  item: z.string().default(''),
  platform: z.string(),
  title: z.string(),
  /** Start in epoch ms. For ending a listing: when its button was last pressed. */
  since: z.number(),
  /** The form was filled in. Do not fill it again on return. */
  filled: z.boolean(),
  kind: z.enum(['list', 'delist']),
  /** Reported as done; the tab's next page still says so. */
  done: z.boolean(),
  /** The new listing that was reported. */
  listing_id: z.string().nullable().default(null),
  /** The server rejected the report. */
  refused: z.boolean().default(false),
  /** Hapax opened the tab, for this task or the one before it. */
  opened: z.boolean().default(false),
  /** The task that follows was opened. */
  led_on: z.boolean().default(false),
})
export type TabTask = z.infer<typeof TabTask>

/** A finished task that the server does not know of yet. */
export const Report = z.object({
  task: z.string(),
  listing: z.object({ listing_id: z.string(), listing_url: z.string() }).nullable(),
})
export type Report = z.infer<typeof Report>

/** A listing that was reported as the result of a task. */
export const ReportedListing = z.object({ platform: z.string(), listing_id: z.string(), at: z.number() })
export type ReportedListing = z.infer<typeof ReportedListing>

/** Longer than anyone takes to fill in one form. */
const forgetAfterMs = 6 * 60 * 60_000

/** Keep reported listings longer than any tab task that could mistake them for its own. */
const keepListedMs = 24 * 60 * 60_000
const maxListed = 500

/** How long a tab's pages check for the end of a listing after a click, in ms. */
const lookAfterPressMs = 5 * 60_000

/** How long a tab's pages show that a task is done, in ms. */
const showDoneMs = 30_000

/** The same if another task follows, in ms: long enough to look at the new listing first. */
const offerNextMs = 2 * 60_000

export const noTabTasks: TabTasks = { list: [], current: null, down: [], byItself: null, pressed: null, done: null }

/**
 * Returns what a tab's page may know of the open tasks. `tabs`: the tasks of open tabs. `reports`: finished tasks that
 * are not sent yet.
 */
export function tabTasksOf(
  tasks: readonly ExtensionTask[],
  page: { platform: ExtensionSlug; tab: number; now: number },
  tabs: readonly TabTask[],
  reports: readonly Report[],
  listed: readonly ReportedListing[],
): TabTasks {
  const unreported = tasks.filter(({ uid }) => !reports.some((report) => report.task === uid))
  const open = unreported.filter(({ platform }) => platform === page.platform)
  const tabTask = tabs.find((one) => one.tab === page.tab && one.platform === page.platform)
  const task =
    tabTask && !tabTask.done ? open.find((one) => one.uid === tabTask.task && one.kind === tabTask.kind) : undefined
  const down = open.flatMap(({ kind, uid, title, reason, listing_id, url }): ToTakeDown[] => {
    return kind === 'delist' && listing_id !== null ? [{ task: uid, title, reason, listing_id, url }] : []
  })
  const pressed = task?.kind === 'delist' && page.now - tabTask!.since < lookAfterPressMs
  return {
    list: open
      .filter((one) => one.kind === 'list')
      .map(({ uid, title, created_at }) => ({ task: uid, title, since: Date.parse(created_at) })),
    current: tabTask ? currentOf(tabTask, task !== undefined, knownOf(listed, page.platform)) : null,
    down,
    byItself: null,
    pressed: pressed ? task.uid : null,
    done: tabTask?.done
      ? doneOf(tabTask, page.now, down, reports, tabTask.led_on ? null : nextOf(unreported, tabTask, tabs))
      : null,
  }
}

/** A filled form may have been submitted whatever became of its task. */
function currentOf(tabTask: TabTask, open: boolean, known: string[]): TabTasks['current'] {
  const { task, title, since, filled, kind, done } = tabTask
  const isCurrent = kind === 'list' && !done && (open || filled)
  return isCurrent ? { task, title, since, filled, open, known } : null
}

function knownOf(listed: readonly ReportedListing[], platform: string): string[] {
  return listed.filter((one) => one.platform === platform).map(({ listing_id }) => listing_id)
}

function doneOf(
  { task, kind, title, listing_id, refused, since }: TabTask,
  now: number,
  down: ToTakeDown[],
  reports: readonly Report[],
  next: NextTask | null,
): TabTasks['done'] {
  const again = down.find((one) => listing_id !== null && one.listing_id === listing_id) ?? null
  if (now - since >= (next ? offerNextMs : showDoneMs) && !again) return null
  return { task, kind, title, kept: reports.some((report) => report.task === task), refused, again, next }
}

/**
 * Returns the task to go on with after one that is done: of the same kind, of the same item first, then the oldest.
 * Skips tasks that are under way in a tab.
 */
function nextOf(tasks: readonly ExtensionTask[], done: TabTask, tabs: readonly TabTask[]): NextTask | null {
  // Newest first, like the server's list.
  const waiting = tasks.filter(({ uid, kind }) => kind === done.kind && !tabs.some(({ task }) => task === uid))
  const next = waiting.findLast(({ inventory_item_uid }) => inventory_item_uid === done.item) ?? waiting.at(-1)
  return next ? { task: next.uid, title: next.title, platform: platformOf(next.platform).name } : null
}

/** Adds a tab task, replacing the tab's earlier one and dropping expired ones. */
export function withTabTask(tabs: readonly TabTask[], tabTask: TabTask): TabTask[] {
  return [...withoutExpired(tabs, tabTask.since).filter(({ tab }) => tab !== tabTask.tab), tabTask]
}

/** Adds a reported listing and drops entries older than any tab task. */
export function withListed(listed: readonly ReportedListing[], fresh: ReportedListing): ReportedListing[] {
  const others = listed.filter(({ listing_id, at }) => listing_id !== fresh.listing_id && fresh.at - at < keepListedMs)
  return [...others.slice(-maxListed), fresh]
}

/** Drops tab tasks that have expired at `now` (ms). */
export function withoutExpired(tabs: readonly TabTask[], now: number): TabTask[] {
  return tabs.filter(({ since }) => now - since < forgetAfterMs)
}
