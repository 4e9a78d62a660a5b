import { pageOf } from '#server/http/answers/list-page.ts'
import type { Queries } from '#server/infra/db/index.ts'
import { invalidField, notFound } from '#server/infra/errors.ts'
import { orderUrl } from '#server/selling/sales/observed-sale.ts'
import type { Services } from '#server/services.ts'
import type { ExtensionTask } from '#shared/contract/selling/tasks.ts'
import { Id } from '#shared/identity.ts'
import * as sql from './queries.ts'

/** Lists a page of the user's tasks, newest first. Defaults to the open ones, or to all that an extension tried by itself. */
export async function listTasks(
  { db, config }: Pick<Services, 'db' | 'config'>,
  user_id: number,
  query: { status?: ExtensionTask['status']; attempted?: 'true'; cursor?: string; page_size?: number },
): Promise<{ results: ExtensionTask[]; next_cursor: string | null }> {
  const limit = query.page_size ?? 20
  const rows = await db.any(
    sql.listTasks({
      user_id,
      uid: null,
      status: query.status ?? (query.attempted ? null : 'open'),
      attempted: query.attempted !== undefined,
      before: query.cursor === undefined ? null : readCursor(query.cursor),
      // One more row shows whether there is a next page.
      limit: limit + 1,
    }),
  )
  const tasks = rows.map((task) =>
    task.kind === 'cancel_order' && task.listing_id !== null
      ? { ...task, url: orderUrl(task.platform, task.listing_id, config) }
      : task,
  )
  return pageOf(tasks, limit, ({ uid }) => uid)
}

/** Returns a task of the user. Throws 404 for any other. */
export async function getTask(queries: Queries, user_id: number, uid: string): Promise<ExtensionTask> {
  const task = await queries.oneOrNone(
    sql.listTasks({ user_id, uid, status: null, attempted: false, before: null, limit: 1 }),
  )
  if (!task) throw notFound()
  return task
}

function readCursor(cursor: string): string {
  const uid = Id('tsk').safeParse(Buffer.from(cursor, 'base64url').toString('utf8'))
  if (!uid.success) throw invalidField('cursor', 'invalid_value', 'is not the next_cursor of a page')
  return uid.data
}
