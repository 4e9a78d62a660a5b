import { expect, it } from 'vitest'
import { canChoose, failureText, needsChoice } from './failure-text.ts'

it('names the required fields in words and says what to do', () => {
  const etsy = { platform: 'etsy', error_code: 'choice_required' } as const
  const said = failureText({ ...etsy, error_message: 'Choose taxonomy_id; who_made; when_made.' })
  expect(said).toContain('Etsy asks for a category, its maker, and the time it was made.')
  const others = failureText({
    platform: 'ebay',
    error_code: 'choice_required',
    error_message: 'Choose category_id; aspects.US Shoe Size; return_policy_id; some_new_id.',
  })
  expect(others).toContain('a category, US Shoe Size, a return policy, and some new')
  expect(others).not.toContain('_')
})

it('prefers its own text for a code to the server’s', () => {
  const failed = { platform: 'ebay', error_code: 'platform_failed', error_message: 'eBay says no.' } as const
  expect(failureText(failed)).toBe('eBay: eBay says no.')
  expect(failureText({ ...failed, error_code: 'not_found' })).toBe('eBay: This no longer exists.')
})

it.each([
  ['etsy', 'choice_required', true, true],
  ['ebay', 'seller_account_required', true, true],
  ['ebay', 'platform_failed', false, true],
  ['ebay', 'not_available', false, false],
  ['poshmark', 'platform_failed', false, false],
])('on %s, after %s, a choice is needed: %s, and may help: %s', (platform, error_code, needed, helps) => {
  expect([needsChoice({ platform, error_code }), canChoose({ platform, error_code })]).toEqual([needed, helps])
})
