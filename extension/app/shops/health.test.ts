import { expect, it } from 'vitest'
import { sightText } from './health.tsx'

it.each([
  ['seconds', 'A sale is seen within seconds.'],
  ['minutes', 'A sale is seen within minutes.'],
  ['browser', 'Needs your browser open'],
  ['none', 'A sale is not seen now.'],
] as const)('says how soon a sale would be seen: %s', (speed, words) => {
  expect(sightText({ health: 'ok', answer: { sale_sight: { speed, seconds: null, witnesses: [] } } }, null)).toBe(words)
})

it('says nothing of an earlier time or of a platform without a shop', () => {
  const sight = { speed: 'seconds', seconds: null, witnesses: [] } as const
  expect(sightText({ health: 'ok', answer: { sale_sight: { ...sight, witnesses: [] } } }, 1)).toBeNull()
  expect(sightText({ health: 'none', answer: { sale_sight: { ...sight, witnesses: [] } } }, null)).toBeNull()
  expect(sightText({ health: 'ok', answer: null }, null)).toBeNull()
})
