import type { PlatformSlug } from '#shared/platforms.ts'
import type { PriceRules, Rounding } from '#shared/price-schemas.ts'
import { readPriceChange } from '../bulk/plan-price.ts'
import { decimalSignOf } from '../common/amount.ts'

/** A rule as the form shows it. An empty or zero percent keeps the item's price. */
export interface RuleInput {
  percent: string
  rounding: Rounding
}

/** Returns the form's input for a platform. */
export function ruleInputOf(rules: PriceRules, platform: PlatformSlug): RuleInput {
  const { basis_points = 0, rounding = 'none' } = rules[platform] ?? {}
  return { percent: basis_points === 0 ? '' : String(basis_points / 100).replace('.', decimalSignOf()), rounding }
}

/** Returns the rule that was typed, null for none, or undefined if the percent cannot be read. */
export function readRule({ percent, rounding }: RuleInput): NonNullable<PriceRules[PlatformSlug]> | null | undefined {
  const change = readPriceChange({ by: 'percent', value: percent.trim() || '0', rounding }, 'USD')
  if (change?.by !== 'percent') return undefined
  const { basis_points } = change
  return basis_points === 0 && rounding === 'none' ? null : { basis_points, rounding }
}
