import { fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hash } from '@node-rs/argon2'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { startEmbeddedDatabase } from '#server/infra/db/embedded.ts'
import { closeDatabase, type Database, openDatabase } from '#server/infra/db/index.ts'
import { migrate } from '#server/infra/db/migrate.ts'

export interface Served {
  port: number
  /** Returns the process's processor time so far. */
  cpuMicroseconds(): Promise<number>
}

/** An answer that the reference imitates. */
export interface Answer {
  headers: Record<string, string>
  body: unknown
}

export interface Stage {
  url: string
  db: Database
  accounts: TestAccount[]
  /** Starts a server in a separate process. */
  serve(kind: 'hapax' | 'bare', answers?: Record<string, Answer>): Promise<Served>
  close(): Promise<void>
}

export const benchPassword = 'paper lantern 42'

/** Starts a PostgreSQL with normal settings, with accounts that have tokens and keys. */
export async function setStage(accountCount: number): Promise<Stage> {
  const directory = await mkdtemp(join(tmpdir(), 'hapax-bench-'))
  const database = await startEmbeddedDatabase(directory)
  await migrate(database.url)
  const db = openDatabase({ url: database.url })
  const accounts: TestAccount[] = []
  while (accounts.length < accountCount) {
    accounts.push(...(await Promise.all(Array.from({ length: 50 }, () => buildAccount(db)))))
  }
  await db.none('update app_user set password_hash = $1', [
    await hash(benchPassword, { memoryCost: 19_456, timeCost: 2, parallelism: 1 }),
  ])
  await db.none('analyze')
  const children: ReturnType<typeof fork>[] = []
  return {
    url: database.url,
    db,
    accounts,
    serve: (kind, answers = {}) =>
      new Promise((resolve, reject) => {
        const file = fileURLToPath(new URL('./serve.ts', import.meta.url))
        const child = fork(file, [kind, database.url, JSON.stringify(answers)])
        children.push(child)
        child.once('error', reject)
        child.once('exit', (code) => reject(new Error(`the server process ended (${code})`)))
        child.once('message', (message) =>
          resolve({
            port: (message as { port: number }).port,
            cpuMicroseconds: () =>
              new Promise((answer) => {
                child.once('message', (later) => answer((later as { cpuMicroseconds: number }).cpuMicroseconds))
                child.send('cpu')
              }),
          }),
        )
      }),
    async close() {
      for (const child of children) child.kill()
      await closeDatabase(db)
      await database.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

export const median = (values: number[]) =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
