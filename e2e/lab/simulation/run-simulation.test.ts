import { describe, expect, it } from 'vitest'
import { mutants } from './ledger.ts'
import { couldHaveReacted } from './oracle.ts'
import { runSimulation } from './run-simulation.ts'
import { VirtualTime } from './virtual-time.ts'
import { simulateWitnesses, witnessMutants } from './witnesses.ts'

describe('simulations', () => {
  it('are determined by their seed', () => {
    const lines: string[][] = [[], []]
    const results = lines.map((traced) => runSimulation(77, { trace: (line) => void traced.push(line) }))
    expect(lines[0]).toEqual(lines[1])
    expect(results[0]).toEqual(results[1])
    expect(lines[0]!.length).toBeGreaterThan(20)
  })

  it.each(mutants)('detect the mutant %s', (mutant) => {
    let seen = 0
    for (let seed = 1; seed <= 400 && seen === 0; seed++) {
      if (runSimulation(seed, { mutant }).violations.length > 0) seen = seed
    }
    expect(seen).toBeGreaterThan(0)
  })
})

describe('simulations of witnesses', () => {
  it.each(witnessMutants)('detect the mutant %s', (mutant) => {
    let seen = 0
    for (let seed = 1; seed <= 100 && seen === 0; seed++) {
      if (simulateWitnesses(seed, mutant).violations.length > 0) seen = seed
    }
    expect(seen).toBeGreaterThan(0)
  })
})

describe('a double purchase', () => {
  const fault = (fromMs: number, toMs: number, platform: number | null = null) => ({
    fromMs,
    toMs,
    platform,
    cause: 'x',
  })

  it('is preventable after seconds, or a minute after a fault', () => {
    expect(couldHaveReacted([], 0, 7_000, [0, 1], 0)).toBe(false)
    expect(couldHaveReacted([], 0, 9_000, [0, 1], 0)).toBe(true)
    expect(couldHaveReacted([fault(1_000, 5_000)], 0, 60_000, [0, 1], 0)).toBe(false)
    expect(couldHaveReacted([fault(1_000, 5_000)], 0, 66_000, [0, 1], 0)).toBe(true)
    // A fault of another platform does not matter.
    expect(couldHaveReacted([fault(0, 100_000, 3)], 0, 9_000, [0, 1], 0)).toBe(true)
    // Repeated faults leave no time to react.
    expect(couldHaveReacted([fault(0, 0), fault(50_000, 50_000), fault(100_000, 100_000)], 0, 150_000, [0, 1], 0)).toBe(
      false,
    )
  })
})

describe('virtual time', () => {
  it('runs callbacks by time, then in scheduling order', () => {
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
