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

declare module 'vitest' {
  interface ProvidedContext {
    /** Why the run has no PostgreSQL; empty if it has one. */
    failedDatabase: string
  }
}

/**
 * Starts one real PostgreSQL for the run, with the template of every test database. Does not throw, since that would end the
 * run of every project: tests that need it report why it did not start.
 */
export default async function setup({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  const run = vitest.getRootProject()
  if (run.getProvidedContext().adminUrl !== undefined) return
  run.provide('adminUrl', '')
  const directory = await mkdtemp(join(tmpdir(), 'hapax-test-'))
  const remove = () => rm(directory, { recursive: true, force: true })
  try {
    const server = await startWithTemplate(directory)
    run.provide('adminUrl', server.urlOf('postgres'))
    run.provide('failedDatabase', '')
    const end = () => server.stop().then(remove)
    // Vitest ends at once on a signal, without the teardown.
    const endEarly = () => void end().finally(() => process.exit(130))
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, endEarly)
    return async () => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, endEarly)
      await end()
    }
  } catch (error) {
    run.provide('failedDatabase', String(error))
    return remove
  }
}

async function startWithTemplate(directory: string) {
  const server = await startEmbeddedDatabase(directory, { throwaway: true, database: 'hapax_template' })
  try {
    await migrate(server.url)
    // Copies of the template then have the queues, too. Nothing runs here, so the kinds need no services but settings.
    const jobs = await openJobs({ url: server.url, works: false, log: createLog('error') })
    await jobs.register(...jobKinds({ config: readConfig({}) } as Services))
    await jobs.stop()
    return server
  } catch (error) {
    await server.stop()
    throw error
  }
}
