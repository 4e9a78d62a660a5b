import { startPurging } from '#server/operations/cleanup/purge.ts'
import { startClockWatch } from '#server/operations/clock/watch-clock.ts'
import type { Worker } from '#server/room.ts'
import { rooms } from '#server/rooms.ts'
import type { Services } from '#server/services.ts'

/** Starts the rooms' work beside the jobs. If one cannot start, stops the others. */
export async function startWorkers(services: Services): Promise<Worker> {
  const started: Worker[] = [startPurging(services), startClockWatch(services)]
  const stop = async (graceMs?: number) => {
    await Promise.all(started.map((worker) => worker.stop(graceMs)))
  }
  try {
    for (const start of rooms.flatMap(({ workers }) => workers ?? [])) {
      const worker = await start(services)
      if (worker) started.push(worker)
    }
  } catch (error) {
    await stop()
    throw error
  }
  return { stop }
}
