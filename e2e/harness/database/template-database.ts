import { readConfig } from '#server/config.ts'
import { type EmbeddedDatabase, startEmbeddedDatabase } from '#server/infra/db/embedded.ts'
import { closeDatabase, openDatabase, workTimeouts } from '#server/infra/db/index.ts'
import { migrate } from '#server/infra/db/migrate.ts'
import { openJobs } from '#server/infra/jobs/index.ts'
import { createLog } from '#server/infra/log/log.ts'
import { jobKinds } from '#server/job-kinds.ts'
import type { Services } from '#server/services.ts'

/** Starts a PostgreSQL in `directory` with the template of every test database. */
export async function startTemplateDatabase(directory: string): Promise<EmbeddedDatabase> {
  const server = await startEmbeddedDatabase(directory, { throwaway: true, database: 'hapax_template' })
  try {
    await shortenSignIn(server)
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

/** Stores the password with one round of hashing instead of 4,096, which every connection of a test would repeat. */
async function shortenSignIn({ urlOf }: EmbeddedDatabase): Promise<void> {
  const url = urlOf('postgres')
  const db = openDatabase({ url, max: 1, timeouts: workTimeouts })
  try {
    await db.none(`set scram_iterations = 1; alter role current_user password '${new URL(url).password}'`)
  } finally {
    await closeDatabase(db)
  }
}
