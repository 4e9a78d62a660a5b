import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { deriveBytes, open, seal, sealingKey } from './seal.ts'

const master = Buffer.alloc(32, 3).toString('base64')
const key = sealingKey({ SECRET_KEY: master }, 'marketplace-token')
const place = 'seller_account/7/sel_a/access'

describe('sealing', () => {
  it('gives back any text: empty, long, emoji', () => {
    for (const text of ['', 'v^1.1#i^1', 'ü✨', randomBytes(20_000).toString('hex')]) {
      expect(open(seal(text, place, key), place, key)).toBe(text)
    }
  })

  it('never seals the same text to the same bytes, and never shows it', () => {
    const [one, two] = [seal('canary-token', place, key), seal('canary-token', place, key)]
    expect(one.equals(two)).toBe(false)
    expect(one.includes('canary')).toBe(false)
  })

  it('does not open in another place', () => {
    expect(() => open(seal('x', place, key), 'seller_account/8/sel_a/access', key)).toThrow('altered or moved')
  })

  it('does not open with any one bit changed', () => {
    const sealed = seal('canary', place, key)
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const changed = Buffer.from(sealed)
      changed[bit >> 3]! ^= 1 << (bit & 7)
      expect(() => open(changed, place, key)).toThrow()
    }
  })

  it('does not open when cut short', () => {
    const sealed = seal('canary', place, key)
    for (let length = 0; length < sealed.length; length++) {
      expect(() => open(sealed.subarray(0, length), place, key)).toThrow()
    }
  })

  it('tells a changed SECRET_KEY from damage', () => {
    const other = sealingKey({ SECRET_KEY: Buffer.alloc(32, 4).toString('base64') }, 'marketplace-token')
    expect(() => open(seal('x', place, key), place, other)).toThrow('another key')
  })

  it('opens with the previous key and seals with the current one', () => {
    const next = Buffer.alloc(32, 4).toString('base64')
    const rotated = sealingKey({ SECRET_KEY: next, SECRET_KEY_PREVIOUS: master }, 'marketplace-token')
    expect(open(seal('x', place, key), place, rotated)).toBe('x')
    const sealed = seal('x', place, rotated)
    expect(open(sealed, place, sealingKey({ SECRET_KEY: next }, 'marketplace-token'))).toBe('x')
    expect(() => open(sealed, place, key)).toThrow('another key')
  })

  it('separates purposes', () => {
    expect(() => open(seal('x', place, key), place, sealingKey({ SECRET_KEY: master }, 'mail'))).toThrow('another key')
    expect(deriveBytes(master, 'a').equals(deriveBytes(master, 'b'))).toBe(false)
  })

  it.each([undefined, '', 'c2hvcnQ='])('refuses to work without 32 bytes of key (%s)', (bad) => {
    expect(() => sealingKey({ SECRET_KEY: bad }, 'marketplace-token')).toThrow('SECRET_KEY')
  })
})
