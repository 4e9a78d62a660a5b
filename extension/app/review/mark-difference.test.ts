import { expect, it } from 'vitest'
import { markDifference } from './mark-difference.ts'

it.each([
  ['Green wool coat', 'Green silk coat', ['Green ', 'wool', ' coat'], ['Green ', 'silk', ' coat']],
  ['Wool coat', 'Wool coat, belted', ['Wool ', 'coat', ''], ['Wool ', 'coat, belted', '']],
  ['Wool coat', 'Wool coat belted', ['Wool coat', '', ''], ['Wool coat', ' belted', '']],
  ['a a', 'a a a', ['a a', '', ''], ['a a', ' a', '']],
  ['', 'New', ['', '', ''], ['', 'New', '']],
])('marks where %j and %j differ', (one, other, first, second) => {
  const parts = markDifference(one, other).map(({ before, marked, after }) => [before, marked, after])
  expect(parts).toEqual([first, second])
})

it('cuts a long text around the difference', () => {
  const [one] = markDifference(`${'word '.repeat(200)}mine${' word'.repeat(200)}`, 'theirs')
  expect(one.marked.length).toBeGreaterThan(1_000)
  const [two] = markDifference(
    `${'word '.repeat(200)}mine${' word'.repeat(200)}`,
    `${'word '.repeat(200)}theirs${' word'.repeat(200)}`,
  )
  expect(two.marked).toBe('mine')
  expect(two.before).toMatch(/^….{120}$/)
  expect(two.after).toMatch(/^.{120}…$/)
})
