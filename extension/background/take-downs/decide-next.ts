import { type TakeDownEntry, takeDownLimits } from '#extension/messaging/take-downs.ts'
import { webAddress } from '#extension/messaging/web-address.ts'
import { addressesAt } from '#extension/platforms/addresses.ts'
import type { ScrapePlatform } from '#extension/platforms/port.ts'
import type { ExtensionTask, TakeDownResult } from '#shared/contract/selling/tasks.ts'
import type { ExtensionSlug } from '#shared/platforms.ts'

/** Results that would come again with the next listing, so that the marketplace rests for an hour. */
const restAfter: ReadonlySet<TakeDownResult> = new Set(['challenge', 'signed_out', 'other_account', 'unreadable'])

/** A task that an extension may do by itself: its item was sold elsewhere, and nobody has tried it. */
export interface OwnTask extends ExtensionTask {
  platform: ExtensionSlug
  listing_id: string
}

/**
 * Returns the open tasks that end by themselves: on the marketplaces that are `on`, of items sold elsewhere, with a
 * page of their own, each tried once.
 */
function ownTasks(
  tasks: readonly ExtensionTask[],
  { on, log }: { on: readonly ExtensionSlug[]; log: readonly Pick<TakeDownEntry, 'task'>[] },
): OwnTask[] {
  return tasks.filter((task): task is OwnTask => {
    const page = addressesAt(webAddress(task.url) ?? '')
    return (
      task.kind === 'delist' &&
      task.status === 'open' &&
      task.sold_elsewhere === true &&
      task.attempt === null &&
      task.listing_id !== null &&
      page !== null &&
      page.slug === task.platform &&
      on.includes(page.slug) &&
      isOf(page.listingAt(task.url), task.listing_id) &&
      !log.some((entry) => entry.task === task.uid)
    )
  })
}

/** Returns whether an address is the page of a listing. Addresses on Depop do not hold the id. */
function isOf(found: ReturnType<ScrapePlatform['listingAt']>, listing_id: string): boolean {
  return found !== null && (!('id' in found) || found.id === listing_id)
}

/**
 * Returns the task to do now, or null: the oldest, since it is the most likely to sell again. `inFront`: the marketplace
 * that the seller is looking at, which is left alone.
 */
export function nextTakeDown(
  tasks: readonly ExtensionTask[],
  known: { on: readonly ExtensionSlug[]; log: readonly TakeDownEntry[]; inFront: ExtensionSlug | null; now: number },
): OwnTask | null {
  const { log, inFront, now } = known
  const pauses = (platform: ExtensionSlug) =>
    log.some((entry) => entry.platform === platform && now - entry.ended_at < takeDownLimits.pauseMs)
  const free = soonTasks(tasks, known).filter(({ platform }) => platform !== inFront && !pauses(platform))
  return free.sort((one, other) => one.created_at.localeCompare(other.created_at))[0] ?? null
}

/** Returns the tasks that end by themselves within a short time: those of marketplaces that do not rest. */
export function soonTasks(
  tasks: readonly ExtensionTask[],
  { on, log, now }: { on: readonly ExtensionSlug[]; log: readonly TakeDownEntry[]; now: number },
): OwnTask[] {
  const { perHour, hourMs } = takeDownLimits
  return ownTasks(tasks, { on, log }).filter(({ platform }) => {
    const recent = log.filter((entry) => entry.platform === platform && now - entry.begun_at < hourMs)
    return recent.length < perHour && !recent.some(({ result }) => restAfter.has(result))
  })
}

/** Adds an entry to the log, newest first, and drops those that are too many or too old. */
export function withEntry<Entry extends TakeDownEntry>(log: readonly Entry[], entry: Entry): Entry[] {
  const { keep, keepMs } = takeDownLimits
  return [entry, ...log].slice(0, keep).filter(({ ended_at }) => entry.ended_at - ended_at < keepMs)
}
