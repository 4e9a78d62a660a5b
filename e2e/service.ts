import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase } from '#e2e/harness/database.ts'
import { freePorts } from '#e2e/harness/free-ports.ts'
import { type RunningHapax, startHapax } from '#server/main.ts'
import { usualTimes } from '#server/times.ts'

export interface Service extends RunningHapax {
  url: string
}

/** Starts all of Hapax as `npm start` does (server, worker, sandbox), on free ports and a separate database. */
export async function startService(environment: Record<string, string> = {}): Promise<Service> {
  const database = await createTestDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'hapax-service-'))
  const port = await freePorts(7)
  const hapax = await startHapax(
    {
      SANDBOX: 'on',
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      PORT: String(port),
      LOG_LEVEL: 'debug',
      // Copying hundreds of photos would compete with the browser.
      IMAGE_COPIES: 'off',
      ...environment,
    },
    {
      logFile: join(dataDir, 'hapax.log'),
      // No balancer is before it, so it need not drain.
      services: { times: { ...usualTimes, closing: { ...usualTimes.closing, drainMs: 0 } } },
    },
  )
  return {
    ...hapax,
    url: hapax.config.PUBLIC_URL,
    async close() {
      await hapax.close()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
