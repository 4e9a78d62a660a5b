import { z } from 'zod'
import type { TabTasks, ToTakeDown } from '#extension/messaging/tab-tasks.ts'
import type { ExtensionTask } from '#shared/contract/tasks.ts'
import type { ExtensionSlug } from '#shared/platforms.ts'

/** A task that a tab was opened for, or that was chosen in it. Kept until it is done, put away or old. */
export const TabTask = z.object({
  tab: z.int(),
  task: z.string(),
  platform: z.string(),
  title: z.string(),
  /** Epoch milliseconds: since when; for taking down, when the button that was pointed out was last pressed. */
  since: z.number(),
  /** Whether the form was filled in already: a page that comes back is not filled in by itself again. */
  filled: z.boolean(),
  kind: z.enum(['list', 'delist']),
  /** Said to be done, which the tab's next page still shows. */
  done: z.boolean(),
  /** The new listing that was said of it. */
  listing_id: z.string().nullable().default(null),
  /** The server no longer took what was said. */
  refused: z.boolean().default(false),
})
export type TabTask = z.infer<typeof TabTask>

/** The seller said that a task is done, and the server was not told yet. */
export const Report = z.object({
  task: z.string(),
  listing: z.object({ listing_id: z.string(), listing_url: z.string() }).nullable(),
})
export type Report = z.infer<typeof Report>

/** A listing that was told as the new one of a task. */
export const ReportedListing = z.object({ platform: z.string(), listing_id: z.string(), at: z.number() })
export type ReportedListing = z.infer<typeof ReportedListing>

/** Longer than anybody fills in one form. */
const forgetAfterMs = 6 * 60 * 60_000

/** Errands are forgotten sooner, and so is what they could be mistaken for. */
const keepListedMs = 24 * 60 * 60_000
const maxListed = 500

/** How long after the press of a button a tab's pages look whether the listing is down. */
const lookAfterPressMs = 5 * 60_000

/** How long a tab's pages say that something is done. */
const showDoneMs = 30_000

export const noTabTasks: TabTasks = { list: [], current: null, down: [], pressed: null, done: null }

/** Errands of a tab on a platform, of the open tasks. `told`: tasks that are done here and not told yet. */
export function tabTasksOf(
  tasks: readonly ExtensionTask[],
  page: { platform: ExtensionSlug; tab: number; now: number },
  tabs: readonly TabTask[],
  reports: readonly Report[],
  listed: readonly ReportedListing[],
): TabTasks {
  const open = tasks.filter(({ uid, platform }) => {
    return platform === page.platform && !reports.some((report) => report.task === uid)
  })
  const tabTask = tabs.find((one) => one.tab === page.tab && one.platform === page.platform)
  const task =
    tabTask && !tabTask.done ? open.find((one) => one.uid === tabTask.task && one.kind === tabTask.kind) : undefined
  const down = open.flatMap(({ kind, uid, title, reason, listing_id, url }): ToTakeDown[] => {
    return kind === 'delist' && listing_id !== null ? [{ task: uid, title, reason, listing_id, url }] : []
  })
  const pressed = task?.kind === 'delist' && page.now - tabTask!.since < lookAfterPressMs
  return {
    list: open.filter((one) => one.kind === 'list').map(({ uid, title }) => ({ task: uid, title })),
    current: tabTask ? currentOf(tabTask, task !== undefined, knownOf(listed, page.platform)) : null,
    down,
    pressed: pressed ? task.uid : null,
    done: tabTask ? doneOf(tabTask, page.now, down, reports) : null,
  }
}

/** A form that was filled in may have been sent, whatever became of its task meanwhile. */
function currentOf(tabTask: TabTask, open: boolean, known: string[]): TabTasks['current'] {
  const { task, title, since, filled, kind, done } = tabTask
  const isCurrent = kind === 'list' && !done && (open || filled)
  return isCurrent ? { task, title, since, filled, open, known } : null
}

function knownOf(listed: readonly ReportedListing[], platform: string): string[] {
  return listed.filter((one) => one.platform === platform).map(({ listing_id }) => listing_id)
}

function doneOf(tabTask: TabTask, now: number, down: ToTakeDown[], reports: readonly Report[]): TabTasks['done'] {
  const { task, kind, title, listing_id, refused, since } = tabTask
  const again = down.find((one) => listing_id !== null && one.listing_id === listing_id) ?? null
  if (!tabTask.done || (now - since >= showDoneMs && !again)) return null
  return { task, kind, title, kept: reports.some((report) => report.task === task), refused, again }
}

/** The errands with this one in its tab's place, and without what is too old to be meant. */
export function withTabTask(tabs: readonly TabTask[], tabTask: TabTask): TabTask[] {
  return [...withoutExpired(tabs, tabTask.since).filter(({ tab }) => tab !== tabTask.tab), tabTask]
}

/** The listings that were told with this one, without those that no errand is as old as. */
export function withListed(listed: readonly ReportedListing[], fresh: ReportedListing): ReportedListing[] {
  const others = listed.filter(({ listing_id, at }) => listing_id !== fresh.listing_id && fresh.at - at < keepListedMs)
  return [...others.slice(-maxListed), fresh]
}

/** The errands without those that are too old to be meant (`now` in milliseconds). */
export function withoutExpired(tabs: readonly TabTask[], now: number): TabTask[] {
  return tabs.filter(({ since }) => now - since < forgetAfterMs)
}
