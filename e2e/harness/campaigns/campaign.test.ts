import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => void vi.unstubAllEnvs())

/** Loads the settings of a run anew. */
async function campaignOf(environment: Record<string, string>): Promise<typeof import('./campaign.ts')> {
  for (const name of ['CAMPAIGNS', 'SEED', 'ROUNDS']) vi.stubEnv(name, environment[name])
  return import(/* @vite-ignore */ `./campaign.ts?${new URLSearchParams(environment)}`)
}

it('makes all points by three seeds, and at least one by each', async () => {
  const points = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  const made: string[] = []
  for (const SEED of ['20783', '20784', '20785']) {
    const { somePoints } = await campaignOf({ SEED })
    expect([somePoints(['a']).length, somePoints(['a', 'b']).length]).toEqual([1, 1])
    expect(somePoints(points).length).toBeLessThan(4)
    made.push(...somePoints(points))
  }
  expect(made.sort()).toEqual(points)
})

it('makes a part of the rounds, all of them, or as many as asked', async () => {
  const usual = await campaignOf({})
  expect([usual.rounds(30), usual.rounds(1), usual.rounds(30, 1 / 10)]).toEqual([6, 1, 3])
  const whole = await campaignOf({ CAMPAIGNS: 'all' })
  expect([whole.rounds(30, 1 / 10), whole.somePoints([1, 2, 3, 4])]).toEqual([30, [1, 2, 3, 4]])
  expect((await campaignOf({ ROUNDS: '9' })).rounds(30)).toBe(9)
})

it('names the command that repeats a run', async () => {
  const file = 'server/deploys.campaign.test.ts'
  const { commandToRepeat } = await campaignOf({ SEED: '7', CAMPAIGNS: 'all', ROUNDS: '9' })
  expect(commandToRepeat(file)).toBe(`SEED=7 CAMPAIGNS=all ROUNDS=9 npm run vitest -- run --project campaigns ${file}`)
  const usual = await campaignOf({ SEED: '8' })
  expect(usual.commandToRepeat(file)).toBe(`SEED=8 npm run vitest -- run --project campaigns ${file}`)
})

it('makes the same choices on every day', async () => {
  vi.useFakeTimers()
  for (const day of [28, 29, 30]) {
    vi.setSystemTime(Date.UTC(2026, 10, day))
    expect((await campaignOf({ day: String(day) })).campaignSeed).toBe(1)
  }
  vi.useRealTimers()
})
