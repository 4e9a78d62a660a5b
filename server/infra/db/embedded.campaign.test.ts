import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pointsOfTheDay } from '#e2e/harness/campaign.ts'
import { memoryFolder } from '#tools/memory-folder.ts'
import { startEmbeddedDatabase } from './embedded.ts'
import { processesIn } from './testing/processes-in.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(memoryFolder(), 'hapax-embedded-'))
})
afterAll(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }))

it('leaves no process and no half-made data when it is stopped at any moment', async () => {
  let isDone = false
  for (const afterMs of pointsOfTheDay(Array.from({ length: 1_000 }, (_, index) => index * 150))) {
    if (isDone) break
    const fresh = join(directory, `stopped-${afterMs}`)
    const stopping = new AbortController()
    setTimeout(() => stopping.abort(new Error('asked to stop')), afterMs)
    const end = await startEmbeddedDatabase(fresh, { throwaway: true, signal: stopping.signal }).catch(
      (error: Error) => error,
    )
    if (end instanceof Error) expect(end.message).toBe('asked to stop')
    else {
      isDone = true
      await end.stop()
    }
    expect(await processesIn(fresh)).toEqual([])
    expect((await readdir(fresh)).filter((name) => name.includes('.new-'))).toEqual([])
    await rm(fresh, { recursive: true })
  }
})
