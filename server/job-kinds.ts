import type { JobKind } from '#server/infra/jobs/index.ts'
import { deliveryJobs } from '#server/infra/mail-sms/jobs.ts'
import { cryptoJobs } from '#server/operations/encryption/jobs.ts'
import { rooms } from '#server/rooms.ts'
import type { Services } from '#server/services.ts'

/** Returns every kind of background job. */
// biome-ignore lint/suspicious/noExplicitAny: kinds of every payload stand side by side
export function jobKinds(services: Services): JobKind<any>[] {
  const ofRooms = rooms.flatMap(({ jobs }) => jobs?.(services) ?? [])
  return [...deliveryJobs(services), ...ofRooms, ...cryptoJobs(services)]
}
