import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbeddedDatabase } from '#server/infra/db/embedded.ts'
import { migrate } from '#server/infra/db/migrate.ts'

/** Starts one real PostgreSQL for the run, with the template of every test database. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'hapax-test-'))
  const server = await startEmbeddedDatabase(directory, { throwaway: true, database: 'hapax_template' })
  try {
    await migrate(server.url)
  } catch (error) {
    await server.stop()
    throw error
  }
  project.provide('adminUrl', server.urlOf('postgres'))
  return async () => {
    await server.stop()
    await rm(directory, { recursive: true, force: true })
  }
}
