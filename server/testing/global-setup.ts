import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { readConfig } from '#server/config.ts'
import { startEmbeddedDatabase } from '#server/infra/db/embedded.ts'
import { migrate } from '#server/infra/db/migrate.ts'
import { openJobs } from '#server/infra/jobs/index.ts'
import { createLog } from '#server/infra/log/log.ts'
import { jobKinds } from '#server/job-kinds.ts'
import type { Services } from '#server/services.ts'

/** Starts one real PostgreSQL for the run, with the template of every test database. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'hapax-test-'))
  const server = await startEmbeddedDatabase(directory, { throwaway: true, database: 'hapax_template' })
  try {
    await migrate(server.url)
    // Copies of the template then have the queues, too. Nothing runs here, so the kinds need no services but settings.
    const jobs = await openJobs({ url: server.url, works: false, log: createLog('error') })
    await jobs.register(...jobKinds({ config: readConfig({}) } as Services))
    await jobs.stop()
  } catch (error) {
    await server.stop()
    throw error
  }
  project.provide('adminUrl', server.urlOf('postgres'))
  const end = async () => {
    await server.stop()
    await rm(directory, { recursive: true, force: true })
  }
  // Vitest ends at once on a signal, without the teardown.
  const endEarly = () => void end().finally(() => process.exit(130))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, endEarly)
  return async () => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, endEarly)
    await end()
  }
}
