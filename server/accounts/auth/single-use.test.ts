import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rounds, roundsTimeoutMs } from '#server/testing/rounds.ts'
import { raceOnce, type SingleUseStage, singleUse, startSingleUseStage } from './testing/single-use.ts'

/**
 * Everything that works once, tried 32 times at once, 200 times over (10,000 by `npm run race-once`): exactly one success
 * each.
 */
const attempts = 32
const count = rounds(200)

let stage: SingleUseStage
beforeAll(async () => {
  stage = await startSingleUseStage()
})
afterAll(() => stage?.close())

describe(`of ${attempts} at once exactly one succeeds, ${count} times over`, () => {
  it.each(singleUse)('$name', { timeout: roundsTimeoutMs(count, 500) }, async (thing) => {
    for (let round = 0; round < count; ) if (await raceOnce(stage, thing, attempts)) round++
  })

  it('and a race that several win is noticed', async () => {
    const thing = singleUse[0]!
    const several = { ...thing, prepare: async () => ({ attempt: async () => ({ status: thing.won }) }) }
    await expect(raceOnce(stage, several, attempts)).rejects.toThrow('32 of 32 succeeded')
  })
})
