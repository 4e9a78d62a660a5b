import { ok } from '#server/http/answers/replies.ts'
import type { Handlers } from '#server/http/mount.ts'
import { createKeyedLimit } from '#server/infra/keyed-limit.ts'
import { createPictureFetcher } from '#server/integrations/own-pictures.ts'
import { readTaskPicture } from '#server/selling/tasks/get-picture.ts'
import { listTasks } from '#server/selling/tasks/list-tasks.ts'
import type { Services } from '#server/services.ts'
import type { tasks } from '#shared/contract/selling/tasks.ts'
import { completeTask, dismissTask } from './complete-task.ts'
import { recordAttempt } from './record-attempt.ts'

/** Pictures of one account fetched at once, and waiting. */
const pictures = { together: 6, waiting: 60 }

export function tasksRoutes(services: Services): Handlers<typeof tasks> {
  const fetchPicture = createPictureFetcher(services.config)
  const pictureLimit = createKeyedLimit(pictures.together, pictures.waiting)
  return {
    listTasks: ({ query }, { principal }) => ok(listTasks(services, principal.user_id, query)),
    completeTask: ({ params, body }, { principal }) => ok(completeTask(services, principal.user_id, params.uid, body)),
    dismissTask: ({ params }, { principal }) => ok(dismissTask(services, principal.user_id, params.uid)),
    recordAttempt: ({ params, body }, { principal }) =>
      ok(recordAttempt(services, principal.user_id, params.uid, body)),
    getTaskPicture: async ({ params, query }, { principal, gone }) => {
      const { user_id } = principal
      const wanted = { user_id, uid: params.uid, n: query.n }
      return {
        status: 200,
        body: await pictureLimit(String(user_id), () => readTaskPicture(services.db, fetchPicture, wanted, gone())),
      }
    },
  }
}
