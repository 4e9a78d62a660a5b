import type { Handlers } from '#server/http/mount.ts'
import type { Services } from '#server/services.ts'
import type { tasks } from '#shared/contract/tasks.ts'
import { completeTask, dismissTask } from './complete-task.ts'
import { listTasks } from './list-tasks.ts'

export function tasksRoutes(services: Services): Handlers<typeof tasks> {
  return {
    listTasks: async ({ query }, { principal }) => ({
      status: 200,
      body: await listTasks(services.db, principal.user_id, query),
    }),
    completeTask: async ({ params, body }, { principal }) => ({
      status: 200,
      body: await completeTask(services, principal.user_id, params.uid, body),
    }),
    dismissTask: async ({ params }, { principal }) => ({
      status: 200,
      body: await dismissTask(services, principal.user_id, params.uid),
    }),
  }
}
