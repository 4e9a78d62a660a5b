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
