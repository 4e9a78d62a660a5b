import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { somePoints } from '#e2e/harness/campaigns/campaign.ts'
import { memoryFolder } from '#tools/memory-folder.ts'
import { startEmbeddedDatabase } from './embedded.ts'
import { processesIn } from './testing/processes-in.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(memoryFolder(), 'hapax-embedded-'))
})
afterAll(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }))

/** Moments of a start, from its beginning to its end. */
const moments = 40

it('leaves no process and no half-made data when it is stopped at any moment', async () => {
  const begun = performance.now()
  const whole = await startEmbeddedDatabase(join(directory, 'whole'), { throwaway: true })
  // As many moments on every machine: a start that takes ten times as long would otherwise be cut a hundred times as long.
  const wholeMs = performance.now() - begun
  await whole.stop()
  for (const moment of somePoints(Array.from({ length: moments }, (_, index) => index))) {
    const fresh = join(directory, `stopped-${moment}`)
    const stopping = new AbortController()
    setTimeout(() => stopping.abort(new Error('asked to stop')), (wholeMs * moment) / moments)
    const end = await startEmbeddedDatabase(fresh, { throwaway: true, signal: stopping.signal }).catch(
      (error: Error) => error,
    )
    // The start may be faster this time.
    if (end instanceof Error) expect(end.message).toBe('asked to stop')
    else await end.stop()
    expect(await processesIn(fresh)).toEqual([])
    expect((await readdir(fresh)).filter((name) => name.includes('.new-'))).toEqual([])
    await rm(fresh, { recursive: true })
  }
})
