import { ok } from '#server/http/answers/replies.ts'
import type { Handlers } from '#server/http/mount.ts'
import type { Services } from '#server/services.ts'
import type { orders } from '#shared/contract/selling/orders.ts'
import { answerQuestion } from './answer-question.ts'
import { dismissAlert, listAlerts } from './list-alerts.ts'
import { retryAlert } from './retry-alert.ts'
import { sayEnded } from './say-ended.ts'

type AlertRoutes = Pick<
  Handlers<typeof orders>,
  'listAlarms' | 'dismissAlarm' | 'retryAlarm' | 'sayListingEnded' | 'nameSoldItem'
>

export function alertsRoutes(services: Services): AlertRoutes {
  const { db, config } = services
  return {
    listAlarms: ({ query }, { principal }) => ok(listAlerts(db, config, principal.user_id, query)),
    dismissAlarm: ({ params }, { principal }) => ok(dismissAlert(db, config, principal.user_id, params.uid)),
    retryAlarm: ({ params }, { principal }) =>
      ok(retryAlert(services, { user_id: principal.user_id, uid: params.uid })),
    sayListingEnded: ({ params }, { principal }) =>
      ok(sayEnded(services, { user_id: principal.user_id, uid: params.uid })),
    nameSoldItem: ({ params, body }, { principal }) =>
      ok(answerQuestion(services, { user_id: principal.user_id, uid: params.uid }, body.item_uid)),
  }
}
