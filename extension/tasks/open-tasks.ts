import type { Client } from '#shared/contract/client.ts'
import { type ExtensionTask, listTasks } from '#shared/contract/tasks.ts'

/** So many are read at most: more than a seller can look through at once. */
const maxTasks = 500

/** The open tasks of the seller, newest first. Throws what the client throws. */
export async function readOpenTasks(call: Client): Promise<ExtensionTask[]> {
  const tasks: ExtensionTask[] = []
  let cursor: string | undefined
  do {
    const page = await call(listTasks, { query: { status: 'open', page_size: '100', ...(cursor ? { cursor } : {}) } })
    tasks.push(...page.results)
    cursor = page.next_cursor ?? undefined
  } while (cursor && tasks.length < maxTasks)
  return tasks
}

const urgency: Record<ExtensionTask['kind'], number> = { delist: 0, cancel_order: 1, list: 2 }

/** What cannot wait first: a thing that is sold and still up may be sold again. Else in the order given. */
export function byUrgency(tasks: readonly ExtensionTask[]): ExtensionTask[] {
  return [...tasks].sort((one, other) => urgency[one.kind] - urgency[other.kind])
}

/** An address that a button may lead to: https only, since what a server sends may have come from a platform (T98). */
export function webAddress(url: string | null | undefined): string | null {
  return url && URL.parse(url)?.protocol === 'https:' ? url : null
}
