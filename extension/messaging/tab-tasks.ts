/** What a page of a platform may know: its own platform's tasks, and nothing else of the inventory. */
export interface TabTasks {
  list: { task: string; title: string }[]
  /**
   * `open` false: nothing is to be listed any more (it sold, or was put aside), but the form may have been sent. `known`:
   * listings that were made for other tasks.
   */
  current: { task: string; title: string; since: number; filled: boolean; open: boolean; known: string[] } | null
  down: ToTakeDown[]
  /** The one of `down` whose button was pressed in this tab just now. */
  pressed: string | null
  /**
   * What was done in this tab just now. `kept`: the server was not told yet; `refused`: it did not take it; `again`: the
   * new listing is to come down again.
   */
  done: {
    task: string
    kind: 'list' | 'delist'
    title: string
    kept: boolean
    refused: boolean
    again: ToTakeDown | null
  } | null
}

export interface ToTakeDown {
  task: string
  title: string
  reason: string
  listing_id: string
  url: string
}
