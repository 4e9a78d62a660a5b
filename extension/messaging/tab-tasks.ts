import type { ByItself } from './take-downs.ts'

/** The tasks that a marketplace page may know: those of its own platform. */
export interface TabTasks {
  /** `since`: when the task was made, in epoch milliseconds. */
  list: { task: string; title: string; since: number }[]
  /**
   * `open` false: the item sold or the task was dismissed, but the form may have been submitted. `known`: listings of
   * other tasks.
   */
  current: { task: string; title: string; since: number; filled: boolean; open: boolean; known: string[] } | null
  down: ToTakeDown[]
  /** The listing that this tab was opened to end by itself. */
  byItself: ByItself | null
  /** The entry of `down` whose button was just clicked in this tab. */
  pressed: string | null
  /**
   * A task just finished in this tab. `kept`: the server does not know yet. `refused`: it rejected the report. `again`:
   * the new listing must end. `next`: the task to go on with, which may be on another platform.
   */
  done: {
    task: string
    kind: 'list' | 'delist'
    title: string
    kept: boolean
    refused: boolean
    again: ToTakeDown | null
    next: NextTask | null
  } | null
}

/** `platform`: its name. */
export interface NextTask {
  task: string
  title: string
  platform: string
}

export interface ToTakeDown {
  task: string
  title: string
  reason: string
  listing_id: string
  url: string
}
