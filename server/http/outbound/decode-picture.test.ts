import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { decodePicture } from './decode-picture.ts'
import { heicPixels } from './heic-header.ts'
import { heicGrid } from './testing/heic-grid.ts'

let threads = 0
const count = () => threads++
beforeEach(() => {
  threads = 0
  process.on('worker', count)
})
afterEach(() => void process.off('worker', count))

const sizeOf = (bytes: Buffer, account = 1, gone?: AbortSignal) =>
  decodePicture(
    bytes,
    account,
    async (picture) => (await picture.jpeg().toBuffer({ resolveWithObject: true })).info,
    gone,
  )

describe('a HEIC photo', () => {
  it('of 48 million pixels is decoded', async () => {
    const photo = heicGrid({ columns: 16, rows: 12, width: 8_064, height: 6_048 })
    const { result } = await sizeOf(photo)
    expect([result.width, result.height]).toEqual([8_064, 6_048])
  })

  it.each([
    ['a tile that is used often', heicGrid({ columns: 15, rows: 15, width: 512, height: 512 })],
    ['a large picture', heicGrid({ columns: 1, rows: 1, width: 30_000, height: 30_000 })],
    ['a large tile', heicGrid({ columns: 1, rows: 1, side: 8_192, width: 64, height: 64 })],
  ])('with too many pixels is not decoded: %s', async (_name, photo) => {
    await expect(sizeOf(photo)).rejects.toThrow('pixel limit')
    expect(threads).toBe(0)
  })

  it('with a tile larger than its header says is refused', async () => {
    await expect(sizeOf(heicGrid({ columns: 2, rows: 2, side: 64 }))).rejects.toThrow('cannot be decoded')
  })

  it('with a damaged header is not decoded', async () => {
    const whole = heicGrid({ columns: 2, rows: 1 })
    const headerEnds = whole.indexOf('mdat') - 4
    for (let at = 0; at < headerEnds; at++) {
      const cut = whole.subarray(0, at)
      expect(() => heicPixels(cut), `cut at ${at}`).toThrow(RangeError)
    }
    await expect(sizeOf(whole.subarray(0, headerEnds - 1))).rejects.toThrow(RangeError)
    expect(threads).toBe(0)
  })

  it('ends its thread when its client leaves', async () => {
    const leaving = new AbortController()
    const left = sizeOf(heicGrid({ columns: 14, rows: 14 }), 1, leaving.signal)
    left.catch(() => {})
    const [thread] = await once(process, 'worker')
    leaving.abort(new Error('left'))
    await expect(left).rejects.toThrow('left')
    expect(thread.threadId).toBe(-1)
  })

  it('waits for no account that asked for more', async () => {
    const ending = new AbortController()
    const ended: string[] = []
    const decode = (name: string, account: number, photo: Buffer) =>
      sizeOf(photo, account, ending.signal).then(() => ended.push(name))
    const hostile = heicGrid({ columns: 9, rows: 9 })
    const attack = Array.from({ length: 18 }, (_, index) => decode('hostile', 100 + (index % 9), hostile))
    await decode('honest', 200, heicGrid({ columns: 4, rows: 3 }))
    ending.abort(new Error('enough'))
    await Promise.allSettled(attack)
    expect(ended.indexOf('honest')).toBeLessThanOrEqual(1)
  })
})
