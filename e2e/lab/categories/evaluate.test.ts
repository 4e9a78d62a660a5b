import { describe, expect, it } from 'vitest'
import { evaluate, ways } from './evaluate.ts'
import { heldOut, tuned } from './titles.ts'

describe.each([
  ['tuned', tuned],
  ['held out', heldOut],
])('categories of the titles %s', (name, titles) => {
  it.each(ways)('are right or asked, $name', (way) => {
    const { right, asked, wrong, faults } = evaluate(way, titles)
    const percent = (share: number) => `${(100 * share).toFixed(0)} %`
    console.info(`${way.name}, ${name}: ${percent(right)} right, ${percent(asked)} asked, ${percent(wrong)} wrong`)
    expect(titles.length).toBeGreaterThanOrEqual(100)
    expect(faults.length, faults.join('\n')).toBeLessThanOrEqual(0.05 * titles.length)
    expect(right).toBeGreaterThanOrEqual(way.least)
  })
})
