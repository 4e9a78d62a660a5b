import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { campaignSeed, rounds, roundsTimeoutMs } from '#e2e/harness/campaigns/campaign.ts'
import { createTestDatabase, type TestDatabase } from '#e2e/harness/database/database.ts'
import { memoryFolder } from '#tools/memory-folder.ts'
import { fuzz } from './fuzz.ts'
import { type LabServer, startLabServer } from './lab-server.ts'

/** `npm run lab -- fuzz` sends 100,000. */
const requests = rounds(1_500)

describe('random requests by the served document', () => {
  let directory: string
  let database: TestDatabase
  let server: LabServer
  beforeAll(async () => {
    directory = await mkdtemp(join(memoryFolder(), 'hapax-fuzz-'))
    database = await createTestDatabase()
    server = await startLabServer(database.url, directory)
  })
  afterAll(async () => {
    await server?.close()
    await database?.drop()
    await rm(directory, { recursive: true, force: true })
  })

  it('are answered according to the document', { timeout: roundsTimeoutMs(requests) }, async () => {
    const result = await fuzz({ url: server.url, seed: campaignSeed, requests })
    expect(result.findings).toEqual([])
    expect(result.requests).toBe(requests)
    expect(result.succeeded.size).toBeGreaterThan(Math.min(60, requests / 8))
  })
})
