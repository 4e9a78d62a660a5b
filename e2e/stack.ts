import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningHapax, startHapax } from '#server/main.ts'
import { createTestDatabase } from '#server/testing/database.ts'

export interface Stack extends RunningHapax {
  url: string
}

/** The whole of Hapax as `npm start` runs it (server, worker, sandbox), on free ports and a database of its own. */
export async function startStack(environment: Record<string, string> = {}): Promise<Stack> {
  const database = await createTestDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'hapax-stack-'))
  const port = await freePorts(4)
  const hapax = await startHapax(
    {
      SANDBOX: 'on',
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      PORT: String(port),
      LOG_LEVEL: 'debug',
      ...environment,
    },
    { logFile: join(dataDir, 'hapax.log') },
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

/** The first of `count` neighbouring ports that are free now: the sandbox takes the ones after the server's. */
export async function freePorts(count: number): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const first = 20_000 + Math.floor(Math.random() * 30_000)
    const free = await Promise.all(Array.from({ length: count }, (_, offset) => isFree(first + offset)))
    if (free.every(Boolean)) return first
  }
  throw new Error('no free ports were found')
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
