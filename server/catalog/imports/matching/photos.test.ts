import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp, { type Sharp } from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { buildListing } from '#e2e/harness/listing.ts'
import { until } from '#e2e/harness/until.ts'
import { decodePicture } from '#server/http/outbound/decode-picture.ts'
import type { Database } from '#server/infra/db/index.ts'
import type { Statement } from '#server/infra/db/statement.ts'
import { createFetchPicture, PictureError } from '#server/integrations/fetch-picture.ts'
import { drawPicture } from '#server/sandbox/kit/picture.ts'
import { type ImportHarness, type Seller, startImportHarness } from '../testing/harness.ts'
import { samePhoto } from './photo-hash.ts'
import { readMissing } from './photo-hash-cache.ts'
import { createReadPhoto, decodeHash } from './read-photo.ts'

/** Draws a picture with the soft shapes of a photograph, so that scaling and compression behave alike. */
async function photograph(seed: number): Promise<Buffer> {
  const size = 400
  const pixels = Buffer.alloc(size * size * 3)
  const shapes = Array.from({ length: 9 }, (_, index) => ({
    x: ((seed * 31 + index * 17) % 97) / 97,
    y: ((seed * 57 + index * 43) % 89) / 89,
    radius: 0.1 + ((seed * 13 + index * 29) % 23) / 100,
    light: ((seed * 71 + index * 37) % 200) - 100,
  }))
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      let light = 128
      for (const shape of shapes) {
        const distance = Math.hypot(x / size - shape.x, y / size - shape.y) / shape.radius
        if (distance < 1) light += shape.light * (1 - distance)
      }
      pixels.fill(Math.max(0, Math.min(255, light)), (y * size + x) * 3, (y * size + x) * 3 + 3)
    }
  }
  return sharp(pixels, { raw: { width: size, height: size, channels: 3 } })
    .jpeg({ quality: 92 })
    .toBuffer()
}

const photoHashOf = async (bytes: Buffer) => (await decodeHash(bytes, 0)).result

describe('the hash of a picture', () => {
  it('survives scaling, format, quality, light and crops', async () => {
    const original = await photograph(5)
    const print = await photoHashOf(original)
    const same = {
      smaller: await sharp(original).resize(180).toBuffer(),
      webp: await sharp(original).webp({ quality: 40 }).toBuffer(),
      darker: await sharp(original).modulate({ brightness: 0.85 }).toBuffer(),
      cut: await sharp(original).extract({ left: 15, top: 30, width: 350, height: 350 }).toBuffer(),
    }
    for (const [name, bytes] of Object.entries(same))
      expect(samePhoto(print, await photoHashOf(bytes)), name).toBe(true)
    for (const seed of [6, 7, 8, 9, 10, 11])
      expect(samePhoto(print, await photoHashOf(await photograph(seed)))).toBe(false)
  })

  it('does not exist for a file that is no picture', async () => {
    await expect(photoHashOf(Buffer.from('<svg onload="alert(1)">'))).rejects.toThrow()
    await expect(photoHashOf((await photograph(1)).subarray(0, 500))).rejects.toThrow()
    expect(await photoHashOf(await drawPicture('1', 1, 'A lamp'))).toBeDefined()
  })
})

describe('reading a picture from its address', () => {
  let served: { bytes: Buffer; type: string }
  let server: Server
  let read: (signal?: AbortSignal) => ReturnType<ReturnType<typeof createReadPhoto>>
  beforeAll(async () => {
    server = createServer((_request, response) => {
      response.setHeader('content-type', served.type).end(served.bytes)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const readPhoto = createReadPhoto(createFetchPicture({ platformOrigins: [url] }))
    read = (signal) => readPhoto(`${url}/picture`, signal)
  })
  afterAll(() => server?.close())

  it.each(['gif', 'png', 'jpeg', 'webp'] as const)('ends no import, whatever is wrong with the %s', async (format) => {
    const whole = await sharp(await photograph(3))
      .resize(64)
      .toFormat(format)
      .toBuffer()
    const type = `image/${format}`
    served = { bytes: whole, type }
    expect(await read()).not.toBeNull()
    let unreadable = 0
    for (let damage = 0; damage < 150; damage++) {
      const bytes = Buffer.from(whole)
      // Changes a few bytes behind the signature, the same ones in every run.
      for (let place = 0; place < 1 + (damage % 5); place++) {
        bytes[8 + ((damage * 7_919 + place * 104_729) % (bytes.length - 8))] = (damage * 31 + place * 17) % 256
      }
      served = { bytes, type }
      if ((await read()) === null) unreadable++
    }
    expect(unreadable).toBeGreaterThan(0)
  })

  it('ends with the reason of the abort signal', async () => {
    const reason = new Error('the worker stops')
    await expect(read(AbortSignal.abort(reason))).rejects.toBe(reason)
  })
})

describe('slow pictures', () => {
  it('are read 24 at a time for one account, others unaffected', async () => {
    let asked = 0
    const given = new AbortController()
    const readPhoto = createReadPhoto((_url, signal) => {
      asked++
      return new Promise((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason)))
    })
    const hanging = Array.from({ length: 30 }, (_, index) => readPhoto(`https://i.example/${index}`, given.signal, 1))
    const refused = await Promise.all(hanging.slice(24))
    expect(refused).toEqual(Array(6).fill(undefined))
    const other = readPhoto('https://i.example/other', given.signal, 2)
    await until(() => asked === 25)
    given.abort()
    expect(new Set((await Promise.allSettled([...hanging.slice(0, 24), other])).map(({ status }) => status))).toEqual(
      new Set(['rejected']),
    )
  })

  it('are no longer read for their account, but for others', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      let asked = 0
      const readPhoto = createReadPhoto(async () => {
        asked++
        // The host takes three seconds and then fails.
        vi.advanceTimersByTime(3_000)
        throw new PictureError('A picture could not be fetched.', true)
      })
      const read = (user_id: number, isPatient = false) =>
        readPhoto('https://i.example/1', undefined, user_id, isPatient)
      for (let count = 0; count < 100; count++) await read(1)
      // Thirty seconds of an import, which reads six at once.
      expect(asked).toBe(Math.ceil((6 * 30_000) / 2_750))
      await read(2)
      // Nobody waits for what is read in the background.
      await read(1, true)
      expect(asked).toBe(Math.ceil((6 * 30_000) / 2_750) + 2)
    } finally {
      vi.useRealTimers()
    }
  })

  it('are no missing ones while their host fails', async () => {
    const failing = (passes: boolean) =>
      createReadPhoto(async () => Promise.reject(new PictureError('It failed.', passes)))
    expect(await failing(true)('https://i.example/1')).toBeUndefined()
    expect(await failing(false)('https://i.example/1')).toBeNull()
  })

  it('end with their budget, and what was read is kept', async () => {
    const stored: string[] = []
    const db = {
      any: async () => [],
      none: async ({ values }: Statement<void>) => void stored.push(values.find((value) => typeof value === 'string')!),
    } as unknown as Database
    const started: AbortSignal[] = []
    const readPhoto = async (url: string, signal?: AbortSignal) => {
      if (url.endsWith('gone')) return null
      started.push(signal!)
      return new Promise<null>((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason)))
    }
    await readMissing(db, 1, ['https://i.example/gone', 'https://i.example/hangs'], readPhoto, { budgetMs: 30 })
    expect(started.map(({ aborted }) => aborted)).toEqual([true])
    expect(stored.map((rows) => JSON.parse(rows).length)).toEqual([1])
  })
})

describe('a picture of many pixels', () => {
  it.each([
    ['GIF', 7_000, 7_000],
    ['GIF', 65_535, 65_535],
  ])('is refused by its header: %s of %s x %s', async (_format, width, height) => {
    const head = Buffer.alloc(13)
    head.write('GIF89a', 'latin1')
    head.writeUInt16LE(width, 6)
    head.writeUInt16LE(height, 8)
    const frame = Buffer.from([
      0x2c,
      0,
      0,
      0,
      0,
      width & 255,
      width >> 8,
      height & 255,
      height >> 8,
      0,
      2,
      2,
      0x44,
      1,
      0,
      0x3b,
    ])
    await expect(photoHashOf(Buffer.concat([head, frame]))).rejects.toThrow(/exceeds pixel limit/)
  })

  it('is read by its first frame alone', async () => {
    const frames = await sharp(Buffer.alloc(20 * 4_000 * 3, 90), {
      raw: { width: 20, height: 4_000, channels: 3, pageHeight: 20 },
    })
      .gif()
      .toBuffer()
    const one = await sharp(Buffer.alloc(20 * 20 * 3, 90), { raw: { width: 20, height: 20, channels: 3 } })
      .gif()
      .toBuffer()
    expect(await photoHashOf(frames)).toEqual(await photoHashOf(one))
  })

  it('is decoded beside one of another account and no more', async () => {
    const small = await photograph(1)
    let most = 0
    const open = Promise.withResolvers<void>()
    const running: number[] = []
    const work = (account: number) => async () => {
      running.push(account)
      most = Math.max(most, running.length)
      await open.promise
      running.splice(running.indexOf(account), 1)
    }
    const all = [1, 1, 1, 2, 2, 3, 4, 5].map((account) => decodePicture(small, account, work(account)))
    try {
      await expect.poll(() => running.length).toBe(2)
      expect(new Set(running).size).toBe(2)
    } finally {
      open.resolve()
    }
    await Promise.all(all)
    expect(most).toBe(2)
  })

  it('of one account does not wait for the costly ones of others', async () => {
    // Hardly larger than the smallest AVIF that counts as costly.
    const costly = await sharp({ create: { width: 2_200, height: 2_000, channels: 3, background: '#aa3300' } })
      .avif({ effort: 0 })
      .toBuffer()
    const small = await photograph(1)
    const ended: string[] = []
    const decode = (name: string, account: number, bytes: Buffer) =>
      decodePicture(bytes, account, (picture) => picture.resize(128).raw().toBuffer()).then(() => ended.push(name))
    const attack = Array.from({ length: 16 }, (_, index) => decode('costly', 100 + (index % 8), costly))
    const victim = decode('small', 200, small)
    await Promise.all([victim, ...attack])
    expect(ended.indexOf('small')).toBeLessThanOrEqual(1)
  })

  it.each([
    ['AVIF', (picture: Sharp) => picture.avif({ effort: 0 })],
    ['interlaced PNG', (picture: Sharp) => picture.png({ progressive: true })],
  ])('of more than 12 million pixels is not decoded as %s', async (_format, write) => {
    const blank = (height: number) =>
      write(sharp({ create: { width: 3_000, height, channels: 3, background: '#aa3300' } })).toBuffer()
    await expect(photoHashOf(await blank(4_100))).rejects.toThrow('pixel limit')
    await expect(photoHashOf(await blank(3_900))).resolves.toBeDefined()
  })
})

describe('an import of another platform, with pictures', () => {
  let harness: ImportHarness
  let seller: Seller
  let onEtsy: Seller
  const pictures = new Map<string, Buffer>()
  let reads: string[] = []
  beforeAll(async () => {
    harness = await startImportHarness()
    harness.server.services.readPhoto = async (url) => {
      reads.push(url)
      const bytes = pictures.get(url)
      return bytes ? photoHashOf(bytes) : null
    }
  })
  afterAll(() => harness?.close())
  beforeEach(async () => {
    reads = []
    seller = await harness.seller()
    onEtsy = await harness.etsyOf(seller)
  })

  it('is sure by words, size and picture, and reads few pictures', async () => {
    const photo = await photograph(20)
    pictures.set('https://i.example/ebay.jpg', photo)
    pictures.set(
      'https://i.example/etsy.jpg',
      await sharp(photo).extract({ left: 20, top: 20, width: 350, height: 350 }).toBuffer(),
    )
    const coat = { title: 'Pendleton wool coat', brand: 'Pendleton', size: 'M' }
    harness.ebay.shop = [
      buildListing({ ...coat, images: ['https://i.example/ebay.jpg'] }),
      buildListing({ title: 'Brass lamp' }),
    ]
    await seller.import()
    expect(reads).toEqual([])
    harness.etsy.shop = [
      buildListing({
        ...coat,
        title: 'Wool coat by Pendleton',
        size: 'Medium',
        images: ['https://i.example/etsy.jpg'],
      }),
      buildListing({ title: 'Handwoven basket', images: ['https://i.example/basket.jpg'] }),
    ]
    for (let round = 0; round < 2; round++) {
      const job = await onEtsy.import()
      const [conflict] = await onEtsy.items(job.id, 'status=conflict')
      expect(conflict).toMatchObject({
        conflict_type: 'possible_duplicate',
        conflict_details: expect.stringMatching(/surely the same.*title, price, brand, size, photo/),
      })
    }
    expect(reads.sort()).toEqual(['https://i.example/ebay.jpg', 'https://i.example/etsy.jpg'])
    expect(await seller.inventory()).toHaveLength(3)
  })

  it('falls back to words when pictures cannot be read', async () => {
    harness.ebay.shop = [buildListing({ title: 'Pendleton wool coat', brand: 'Pendleton' })]
    await seller.import()
    harness.etsy.shop = [buildListing({ title: 'Wool coat, Pendleton' })]
    const job = await onEtsy.import()
    expect(await onEtsy.items(job.id)).toMatchObject([{ conflict_details: expect.stringMatching(/may be the same/) }])
  })
})
