import { expect, it } from 'vitest'
import { readRule, ruleInputOf } from './price-rule-form.ts'

it.each([
  ['8', 'none', { basis_points: 800, rounding: 'none' }],
  ['+8.29 %', '99', { basis_points: 829, rounding: '99' }],
  ['−20', 'whole', { basis_points: -2_000, rounding: 'whole' }],
  ['', '95', { basis_points: 0, rounding: '95' }],
  ['', 'none', null],
  ['0', 'none', null],
  ['12,5', 'none', { basis_points: 1_250, rounding: 'none' }],
  ['eight', 'none', undefined],
  ['-100', 'none', undefined],
] as const)('reads %j rounded to %s', (percent, rounding, rule) => {
  expect(readRule({ percent, rounding })).toEqual(rule)
})

it('shows a rule as it was typed', () => {
  const rules = {
    ebay: { basis_points: 829, rounding: '99' },
    depop: { basis_points: -1_250, rounding: 'none' },
  } as const
  expect(ruleInputOf(rules, 'ebay')).toEqual({ percent: '8.29', rounding: '99' })
  expect(ruleInputOf(rules, 'depop')).toEqual({ percent: '-12.5', rounding: 'none' })
  expect(ruleInputOf(rules, 'etsy')).toEqual({ percent: '', rounding: 'none' })
})
