import type { DownStep } from '#extension/platforms/take-down/steps.ts'
import type { TakeDownResult } from '#shared/contract/selling/tasks.ts'
import type { ExtensionSlug } from '#shared/platforms.ts'
import type { ToTakeDown } from './tab-tasks.ts'

/** Times of ending a listing by itself, in ms. */
interface TakeDownTimes {
  /** Bounds of the pause before each press. */
  beforePressMs: readonly [least: number, most: number]
  /** How long the next button may take to appear. */
  appearsInMs: number
  /** Delays after the last press before asking whether the listing has ended. Sites need time. */
  askAfterMs: readonly number[]
}

/** Returns the times at the seller's pace of requests: at the usual second, one to two seconds before a press. */
export const takeDownTimes = (pace_ms: number): TakeDownTimes => ({
  beforePressMs: [pace_ms, 2 * pace_ms],
  appearsInMs: 2_000 + 8 * pace_ms,
  askAfterMs: [800, 1_500, 3_000, 5_000, 5_000],
})

/** Limits of ending listings by themselves. Times in ms. */
export const takeDownLimits = {
  /** Attempts on one marketplace within an hour. */
  perHour: 10,
  hourMs: 60 * 60_000,
  /** Pause after an attempt on the same marketplace. */
  pauseMs: 20_000,
  /** An attempt that takes longer is stopped. Browsers slow hidden tabs down after five minutes. */
  maxMs: 4 * 60_000,
  /** How long the seller is not notified of a task that ends by itself. */
  quietMs: 60_000,
  /** Entries of the log, and how long they stay. */
  keep: 200,
  keepMs: 90 * 24 * 60 * 60_000,
}

/** A listing that this tab was opened to end by itself. `pressed`: what earlier pages of the tab have pressed. */
export interface ByItself {
  /** `titles`: the item's, and the listing's as last read. */
  task: ToTakeDown & { titles: string[] }
  pressed: DownStep[]
  times: TakeDownTimes
}

/** An attempt that ended, as the seller reads it. Times in epoch ms. */
export interface TakeDownEntry {
  task: string
  item: string
  title: string
  platform: ExtensionSlug
  url: string
  begun_at: number
  ended_at: number
  /** The labels of the pressed buttons, in order. */
  pressed: string[]
  result: TakeDownResult
  /** The words of the page that stopped it. */
  seen: string | null
  /** The tab was closed; null if another browser made the attempt. */
  closed: boolean | null
}

/** Where listings end by themselves, and the one that is ending now. */
export interface TakeDownState {
  on: ExtensionSlug[]
  running: { task: string; title: string; platform: ExtensionSlug; begun_at: number } | null
}
