import { describe, expect, it } from 'vitest'
import { mutants } from './ledger.ts'
import { couldHaveReacted } from './oracle.ts'
import { runWorld } from './run-world.ts'
import { VirtualTime } from './virtual-time.ts'

/** How many worlds; `npm run simulate` runs 100,000. A seed that breaks is run again with `--seed N --trace`. */
const worlds = 2_000

describe('simulated worlds', () => {
  it(`in ${worlds} worlds nothing is broken, and no second purchase happened that could have been prevented`, () => {
    const broken: string[] = []
    let doublePurchases = 0
    let crashes = 0
    for (let seed = 1; seed <= worlds; seed++) {
      const result = runWorld(seed)
      doublePurchases += result.doublePurchases
      crashes += result.crashes
      if (result.violations.length > 0) broken.push(`seed ${seed}: ${result.violations[0]}`)
    }
    expect(broken).toEqual([])
    // Worlds in which nothing happens prove nothing.
    expect(doublePurchases).toBeGreaterThan(worlds)
    expect(crashes).toBeGreaterThan(worlds)
  })

  it('a seed is the same world every time', () => {
    const lines: string[][] = [[], []]
    const results = lines.map((told) => runWorld(77, { trace: (line) => void told.push(line) }))
    expect(lines[0]).toEqual(lines[1])
    expect(results[0]).toEqual(results[1])
    expect(lines[0]!.length).toBeGreaterThan(20)
  })

  it.each(mutants)('the oracle sees a system that %s', (mutant) => {
    let seen = 0
    for (let seed = 1; seed <= 400 && seen === 0; seed++) {
      if (runWorld(seed, { mutant }).violations.length > 0) seen = seed
    }
    expect(seen).toBeGreaterThan(0)
  })
})

describe('preventable double sales', () => {
  const fault = (fromMs: number, toMs: number, platform: number | null = null) => ({
    fromMs,
    toMs,
    platform,
    what: 'x',
  })

  it('is a second purchase after seconds of knowing, or after a minute without faults', () => {
    expect(couldHaveReacted([], 0, 7_000, [0, 1], 0)).toBe(false)
    expect(couldHaveReacted([], 0, 9_000, [0, 1], 0)).toBe(true)
    expect(couldHaveReacted([fault(1_000, 5_000)], 0, 60_000, [0, 1], 0)).toBe(false)
    expect(couldHaveReacted([fault(1_000, 5_000)], 0, 66_000, [0, 1], 0)).toBe(true)
    // A fault of a platform that neither purchase was on is no excuse.
    expect(couldHaveReacted([fault(0, 100_000, 3)], 0, 9_000, [0, 1], 0)).toBe(true)
    // Faults one after another, with no stretch between them to get anything done.
    expect(couldHaveReacted([fault(0, 0), fault(50_000, 50_000), fault(100_000, 100_000)], 0, 150_000, [0, 1], 0)).toBe(
      false,
    )
  })
})

describe('virtual time', () => {
  it('runs things in the order of their times, and those of one time as they were said', () => {
    const time = new VirtualTime()
    const ran: string[] = []
    time.at(20, () => ran.push('c'))
    time.at(10, () => ran.push('a'))
    time.at(10, () => {
      ran.push('b')
      time.after(5, () => ran.push('b+5'))
    })
    time.at(99, () => ran.push('never'))
    expect(time.runUntil(50)).toBe(4)
    expect([ran, time.nowMs]).toEqual([['a', 'b', 'b+5', 'c'], 50])
  })
})
