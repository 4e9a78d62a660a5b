import { describe, expect, it, vi } from 'vitest'
import type { send } from '#extension/messaging/send.ts'
import { sampleAlert } from '#extension/testing/sample-alert.ts'

// The messages' module runs in extensions only.
vi.mock('webextension-polyfill', () => ({ default: {} }))
const { relist } = await import('./relist.ts')

const offer = sampleAlert({ kind: 'relist_offer', relist_on: ['ebay', 'etsy', 'depop'] })

/** Lists again while the given platforms refuse. Returns the requests, and the error if there is one. */
async function run(refusals: Partial<Record<string, string>>) {
  const asked: unknown[] = []
  const ask = (async (name: string, request: { platform?: string; platforms?: string[] }) => {
    asked.push([name, request.platform ?? request.platforms])
    const refusal = refusals[request.platform ?? '']
    if (refusal) throw new Error(refusal)
  }) as typeof send
  const error = await relist(offer, ask).then(
    () => null,
    (reason: Error) => reason.message,
  )
  return { asked, error }
}

describe('listing again after a canceled sale', () => {
  it('lists wherever it was and dismisses the offer', async () => {
    const { asked, error } = await run({})
    expect(error).toBeNull()
    expect(asked).toEqual([
      ['inventory.list', 'ebay'],
      ['inventory.list', 'etsy'],
      ['inventory.bulk', ['depop']],
      ['popup.dismissAlert', undefined],
    ])
  })

  it('says what a platform refused and keeps the offer', async () => {
    const { asked, error } = await run({ ebay: 'Choose a category.', etsy: 'Too long.' })
    expect(error).toBe('eBay: Choose a category. Etsy: Too long.')
    expect(asked).not.toContainEqual(['popup.dismissAlert', undefined])
  })
})
