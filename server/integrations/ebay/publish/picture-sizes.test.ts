import sharp from 'sharp'
import { expect, it } from 'vitest'
import { type FetchPicture, PictureError } from '#server/integrations/fetch-picture.ts'
import type { PublishRequest } from '#server/integrations/port.ts'
import { completeOptions } from '#server/selling/listings/preflight/complete-options.ts'
import { startEbaySandbox } from '../testing/ebay-sandbox.ts'

const sizes: Record<string, [number, number]> = {
  '/tall.jpg': [300, 500],
  '/wide.jpg': [1_600, 200],
  '/small.jpg': [499, 320],
}
const fetched: string[] = []
const fetchPicture: FetchPicture = async (address) => {
  const { pathname } = new URL(address)
  fetched.push(pathname)
  const size = sizes[pathname]
  if (pathname === '/torn.jpg') return { bytes: Buffer.from('no picture'), type: 'image/jpeg' }
  if (!size) throw new PictureError('It cannot be reached.', true)
  const [width, height] = size
  const bytes = await sharp({ create: { width, height, channels: 3, background: '#a40' } })
    .jpeg()
    .toBuffer()
  return { bytes, type: 'image/jpeg' }
}

async function publish(names: string[], given: Partial<PublishRequest> = {}) {
  const running = await startEbaySandbox({ usual: false, sellers: [{ username: 'ann', items: [] }] }, { fetchPicture })
  try {
    const port = running.adapter.listings!
    const access = running.accessOf('ann')
    const item: PublishRequest = {
      externalKey: 'PIC-1-abcdefghijklm',
      sku: null,
      title: 'Canon AE-1 Film Camera',
      description: 'Works.',
      price_minor: 9_900,
      currency: 'USD',
      images: names.map((name) => `https://pictures.example.com/${name}.jpg`),
      condition: { label: 'Used', notes: '' },
      attributes: { brand: 'Canon' },
      address: { full_name: 'A', line1: '1 Quay', city: 'Portland', region: 'ME', postal_code: '04101', country: 'US' },
      options: {},
      ...given,
    }
    const { options } = completeOptions({}, {}, await port.choices(access, item))
    fetched.length = 0
    const steps: string[] = []
    const error = await port
      .publish(access, { ...item, options }, async (step) => void steps.push(step))
      .then(
        () => null,
        (refused: unknown) => refused,
      )
    return { error, steps }
  } finally {
    await running.sandbox.close()
  }
}

it('refuses pictures under 500 pixels before anything is sent', async () => {
  const { error, steps } = await publish(['tall', 'small', 'wide'])
  expect(error).toMatchObject({
    failure: 'refused',
    platformCode: 'picture',
    message: 'Photo 2 has 499 × 320 pixels. eBay takes photos whose longer side has at least 500 pixels.',
  })
  expect(steps).toEqual([])
})

it('lists with pictures that are large enough or cannot be measured', async () => {
  const { error, steps } = await publish(['tall', 'wide', 'unreachable', 'torn'])
  expect(error).toBeNull()
  expect(steps).toContain('publish')
})

it('measures each picture once, and none of a repeated attempt', async () => {
  await publish(['tall', 'wide'])
  expect(fetched.sort()).toEqual(['/tall.jpg', '/wide.jpg'])
  await publish(['small'], { repeated: true })
  expect(fetched).toEqual([])
})
