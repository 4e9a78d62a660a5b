import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rounds, roundsTimeoutMs } from '#e2e/harness/campaigns/campaign.ts'
import { raceOnce, type SingleUseStage, singleUse, startSingleUseStage } from './testing/single-use.ts'

/** Uses each single-use value 32 times at once, over and over. Exactly one attempt must succeed. */
const attempts = 32
const count = rounds(30)

let stage: SingleUseStage
beforeAll(async () => {
  stage = await startSingleUseStage()
})
afterAll(() => stage?.close())

describe(`of ${attempts} concurrent uses exactly one succeeds, ${count} times`, () => {
  it.each(singleUse)('$name', { timeout: roundsTimeoutMs(count, 500) }, async (thing) => {
    for (let round = 0; round < count; ) if (await raceOnce(stage, thing, attempts)) round++
  })

  it('notices a race with several winners', async () => {
    const thing = singleUse[0]!
    const several = { ...thing, prepare: async () => ({ attempt: async () => ({ status: thing.won }) }) }
    await expect(raceOnce(stage, several, attempts)).rejects.toThrow('32 of 32 succeeded')
  })
})
