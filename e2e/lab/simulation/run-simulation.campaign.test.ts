import { expect, it } from 'vitest'
import { campaignSeed, rounds } from '#e2e/harness/campaigns/campaign.ts'
import { runSimulation } from './run-simulation.ts'
import { simulateWitnesses } from './witnesses.ts'

/** Number of simulations; `npm run lab -- simulate` runs 100,000. To debug a failing seed, run `--seed N --trace`. */
const simulations = rounds(2_000)

it('simulations break no invariant and have no preventable double purchase', () => {
  const broken: string[] = []
  let doublePurchases = 0
  let crashes = 0
  const first = campaignSeed * simulations
  for (let seed = first; seed < first + simulations; seed++) {
    const result = runSimulation(seed)
    doublePurchases += result.doublePurchases
    crashes += result.crashes
    if (result.violations.length > 0) broken.push(`seed ${seed}: ${result.violations[0]}`)
  }
  expect(broken).toEqual([])
  // Simulations without double purchases and crashes would prove nothing.
  expect(doublePurchases).toBeGreaterThan(simulations)
  expect(crashes).toBeGreaterThan(simulations)
})

it('with any one witness dead for a day no sale stays unseen, and no hold outlives the readings', () => {
  const broken: string[] = []
  const seen = { purchases: 0, doublePurchases: 0, falseHolds: 0 }
  const first = campaignSeed * simulations
  for (let seed = first; seed < first + simulations / 4; seed++) {
    const { violations, dead, ...result } = simulateWitnesses(seed)
    for (const name of ['purchases', 'doublePurchases', 'falseHolds'] as const) seen[name] += result[name]
    if (violations.length > 0) broken.push(`seed ${seed}, without ${dead}: ${violations[0]}`)
  }
  expect(broken).toEqual([])
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(simulations / 4)
})
