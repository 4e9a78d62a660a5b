import { expect, it } from 'vitest'
import { errorOfTrading } from './errors.ts'

const error = (LongMessage: string, ErrorCode = '37') => ({
  ...{ ErrorCode, LongMessage, ShortMessage: 'Refused.', SeverityCode: 'Error', ErrorClassification: 'RequestError' },
  ErrorParameters: [],
})

// eBay publishes no codes for coins, so other words of the same meaning count. The last text is that of error 21920370
// (github.com/hendt/ebay-api/issues/166).
it.each([
  'A required condition descriptor is missing for this category.',
  'Condition Descriptors are required for coins.',
  'You must provide standardized condition details for this item.',
  'Please use the new Condition Grading conditions and descriptors.',
])('names the remedy of a price change refused with "%s"', (words) => {
  const refusal = errorOfTrading('ReviseFixedPriceItem', [error(words)])
  expect(refusal).toMatchObject({ failure: 'refused', platformCode: 'condition_details' })
  expect(refusal.message).toContain('Complete the condition of the listing on eBay')
  expect(refusal.message).toContain(words.slice(0, -1))
})

it('knows the code where eBay gives other words', () => {
  const refusal = errorOfTrading('ReviseFixedPriceItem', [error('Bitte ergänzen.', '21920370')])
  expect(refusal.platformCode).toBe('condition_details')
})

it('takes no other refusal of a condition for it', () => {
  const refusal = errorOfTrading('ReviseFixedPriceItem', [error('The condition description is too long.')])
  expect(refusal.platformCode).not.toBe('condition_details')
})
