import { describe, expect, it } from 'vitest'
import { campaignSeed, rounds } from '#e2e/harness/campaigns/campaign.ts'
import { evaluate } from './evaluate.ts'
import { labelledSet } from './labelled-set.ts'

describe('the matcher on its labelled set', () => {
  it('is right when it is sure, and misses little', () => {
    const pairs = rounds(2_000)
    const evaluation = evaluate(labelledSet({ seed: campaignSeed, pairs }))
    expect(evaluation.pairs).toBeGreaterThanOrEqual(pairs)
    expect(evaluation.surelyPrecision).toBeGreaterThanOrEqual(0.999)
    expect(evaluation.recall).toBeGreaterThanOrEqual(0.9)
    const surely = evaluation.kinds.reduce((sum, { likeness }) => sum + likeness.surely, 0)
    expect(surely).toBeGreaterThan(pairs / 4)
    const another = evaluation.kinds.find(({ kind }) => kind === 'another item')!
    expect(another.likeness.different / another.pairs).toBeGreaterThan(0.98)
  })
})
