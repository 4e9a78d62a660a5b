import type { Client } from '#shared/client/declared-client.ts'
import { type ExtensionTask, listTasks } from '#shared/contract/selling/tasks.ts'

/** Maximum number of tasks read. */
const maxTasks = 500

/** Returns the seller's open tasks, newest first. Throws the client's errors. */
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
