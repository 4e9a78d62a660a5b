import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { startBreakableLink } from '#e2e/harness/database/breakable-link.ts'
import { createTestDatabase } from '#e2e/harness/database/database.ts'
import { until } from '#e2e/harness/until.ts'
import { usualTimes } from '#server/times.ts'
import { openJobs } from './index.ts'

it('starts a job while the listening connection is silently dead', async () => {
  const database = await createTestDatabase({ checked: false })
  onTestFinished(() => database.drop())
  const link = await startBreakableLink(database.url)
  onTestFinished(() => link.close())
  const probes = { ...usualTimes.probes, probeEveryMs: 500, answerWithinMs: 500 }
  const jobs = await openJobs({ url: link.url, works: true, log: pino({ level: 'silent' }), probes })
  onTestFinished(() => jobs.stop(1_000))
  const begun: object[] = []
  await jobs.register({
    queue: 'bell',
    ...{ concurrency: 1, retryLimit: 0, retryDelaySeconds: 1, heartbeatSeconds: 20, expireInSeconds: 60 },
    run: async (payload) => void begun.push(payload),
  })
  const listeners = () =>
    database.db.map<number>(
      `select pid from pg_stat_activity
       where datname = current_database() and application_name = 'hapax-jobs' and query ~* '^listen|pg_listening'`,
      [],
      ({ pid }) => pid,
    )
  const [dead] = await until(listeners, ({ length }) => length === 1)

  expect(link.silence(/listen "/i)).toBe(1)
  await jobs.send(database.db, 'bell', { number: 1 })
  await until(() => begun.length === 1)
  expect(begun).toEqual([{ number: 1 }])
  await until(listeners, (pids) => pids.some((pid) => pid !== dead))
})

it('starts the job of a worker that died again', async () => {
  const database = await createTestDatabase({ checked: false })
  onTestFinished(() => database.drop())
  const jobs = await openJobs({ url: database.url, works: true, log: pino({ level: 'silent' }) })
  onTestFinished(() => jobs.stop(1_000))
  let begun = 0
  await jobs.register({
    queue: 'bell',
    ...{ concurrency: 1, retryLimit: 1, retryDelaySeconds: 1, heartbeatSeconds: 20, expireInSeconds: 60 },
    run: async () => void begun++,
  })
  await database.db.tx(async (tx) => {
    await jobs.send(tx, 'bell', {})
    await tx.none("update jobs.job set state = 'active', started_on = now(), heartbeat_on = now() - interval '21 s'")
  })
  await until(() => begun === 1)
})
