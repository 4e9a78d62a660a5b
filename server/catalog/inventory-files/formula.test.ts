import fc from 'fast-check'
import { expect, it } from 'vitest'
import { escapeFormula, unescapeFormula } from './formula.ts'

it.each(['=1+1', '+1', '-1', '@sum', '\t=1', '\r=1', ' =1', '＝1', "'=1", '\n'])('escapes %j', (cell) => {
  expect(escapeFormula(cell)).toBe(`'${cell}`)
})

it.each(['a', "'a", "it's", '', '1-2', 'a=b', "''"])('leaves %j', (cell) => {
  expect(escapeFormula(cell)).toBe(cell)
  expect(unescapeFormula(cell)).toBe(cell)
})

it('gives every cell back, and leaves none that runs', () => {
  const cell = fc.string({ unit: fc.constantFrom("'", '=', '+', '-', '@', '\t', '\r', '\n', ' ', 'a', '＝') })
  fc.assert(
    fc.property(cell, (text) => {
      const escaped = escapeFormula(text)
      expect(unescapeFormula(escaped)).toBe(text)
      expect(escaped).not.toMatch(/^(\s*[=+\-@]|[\t\r\n])/)
    }),
    { numRuns: 2_000 },
  )
})
