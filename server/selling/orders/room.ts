import type { Room } from '#server/room.ts'
import { eraseQueue } from './erase-shop.ts'
import { eraseShopData } from './erase-shop-data.ts'
import { mountPushes } from './push-routes.ts'
import { ordersRoutes } from './routes.ts'
import { scheduleFirstReading } from './schedule-first-reading.ts'
import { scheduleReadings } from './schedule-readings.ts'
import { startOrderWorker } from './worker.ts'

/** Orders of marketplaces, and the notices of them. */
export const ordersRoom = {
  tables: {
    user: ['marketplace_order', 'order_fetch_request', 'order_line', 'order_sync'],
    local: ['order_budget', 'push_receipt'],
  },
  clockColumns: {
    order_fetch_request: ['next_attempt_at'],
    order_sync: ['read_until', 'overlap_read_at', 'next_read_at', 'lease_until', 'last_success_at', 'last_push_at'],
  },
  routes: ordersRoutes,
  mount: mountPushes,
  jobs: (services) => [
    {
      queue: 'orders-plan',
      everySeconds: 30,
      concurrency: 1,
      unique: true,
      retryLimit: 2,
      retryDelaySeconds: 5,
      heartbeatSeconds: 20,
      expireInSeconds: 120,
      run: () => scheduleReadings(services),
    },
    {
      // A notice starts it at once. The period finds what a crash has left.
      queue: eraseQueue,
      everySeconds: 300,
      concurrency: 1,
      unique: true,
      retryLimit: 10,
      retryDelaySeconds: 5,
      heartbeatSeconds: 20,
      expireInSeconds: 600,
      run: (_payload, signal) => eraseShopData(services, signal),
    },
  ],
  workers: [startOrderWorker],
  hooks: { connected: [scheduleFirstReading] },
} satisfies Room
