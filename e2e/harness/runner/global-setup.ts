import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { memoryFolder } from '#tools/memory-folder.ts'

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
  const directory = await mkdtemp(join(memoryFolder(), 'hapax-test-'))
  const remove = () => rm(directory, { recursive: true, force: true })
  try {
    // Only the first project of the run loads the server: a second time its queries would be loaded twice.
    const { startTemplateDatabase } = await import('../database/template-database.ts')
    const server = await startTemplateDatabase(directory)
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
