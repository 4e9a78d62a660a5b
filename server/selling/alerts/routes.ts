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
    listAlarms: async ({ query }, { principal }) => ({
      status: 200,
      body: await listAlerts(db, config, principal.user_id, query),
    }),
    dismissAlarm: async ({ params }, { principal }) => ({
      status: 200,
      body: await dismissAlert(db, config, principal.user_id, params.uid),
    }),
    retryAlarm: async ({ params }, { principal }) => ({
      status: 200,
      body: await retryAlert(services, { user_id: principal.user_id, uid: params.uid }),
    }),
    sayListingEnded: async ({ params }, { principal }) => ({
      status: 200,
      body: await sayEnded(services, { user_id: principal.user_id, uid: params.uid }),
    }),
    nameSoldItem: async ({ params, body }, { principal }) => ({
      status: 200,
      body: await answerQuestion(services, { user_id: principal.user_id, uid: params.uid }, body.item_uid),
    }),
  }
}
