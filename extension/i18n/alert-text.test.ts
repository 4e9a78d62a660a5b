import { expect, it } from 'vitest'
import { sampleAlert } from '#extension/testing/sample-alert.ts'
import { alertDetail, alertText } from './alert-text.ts'

const waiting = { state: 'waiting_for_seller', attempts: 0, next_try_at: null, last_error: null } as const

it.each(['poshmark', 'mercari', 'depop'] as const)('says where a sold item is still live: %s', (platform) => {
  const alert = sampleAlert({ platform, progress: waiting })
  expect(alertText(alert).toLowerCase()).toBe(`still live on ${platform}`)
  expect(alertDetail(alert, () => '9 min ago')).toBe('Sold on eBay 9 min ago.')
})

it('says what only the seller can do about an auction with bids', () => {
  const advice = 'This auction has 3 bids. Cancel the bids on its page.'
  expect(alertDetail(sampleAlert({ advice }), () => '9 min ago')).toBe(`Sold on eBay 9 min ago. ${advice}`)
})

it('says what Hapax does about a listing that it ends itself', () => {
  expect(alertDetail(sampleAlert(), () => '9 min ago')).toBe(
    'Sold on eBay 9 min ago. Tried 3 times to end it. Trying again now.',
  )
})
