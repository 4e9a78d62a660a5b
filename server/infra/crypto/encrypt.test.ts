import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { decrypt, deriveBytes, encrypt, encryptionKey } from './encrypt.ts'

const master = Buffer.alloc(32, 3).toString('base64')
const key = encryptionKey({ SECRET_KEY: master }, 'marketplace-token')
const place = 'seller_account/7/sel_a/access'

describe('encryption', () => {
  it('restores any text: empty, long, emoji', () => {
    for (const text of ['', 'v^1.1#i^1', 'ü✨', randomBytes(20_000).toString('hex')]) {
      expect(decrypt(encrypt(text, place, key), place, key)).toBe(text)
    }
  })

  it('never repeats or reveals a text', () => {
    const [one, two] = [encrypt('canary-token', place, key), encrypt('canary-token', place, key)]
    expect(one.equals(two)).toBe(false)
    expect(one.includes('canary')).toBe(false)
  })

  it('does not decrypt in another place', () => {
    expect(() => decrypt(encrypt('x', place, key), 'seller_account/8/sel_a/access', key)).toThrow('altered or moved')
  })

  it('does not decrypt with any bit changed', () => {
    const encrypted = encrypt('canary', place, key)
    for (let bit = 0; bit < encrypted.length * 8; bit++) {
      const changed = Buffer.from(encrypted)
      changed[bit >> 3]! ^= 1 << (bit & 7)
      expect(() => decrypt(changed, place, key)).toThrow()
    }
  })

  it('does not decrypt when truncated', () => {
    const encrypted = encrypt('canary', place, key)
    for (let length = 0; length < encrypted.length; length++) {
      expect(() => decrypt(encrypted.subarray(0, length), place, key)).toThrow()
    }
  })

  it('distinguishes a changed SECRET_KEY from damage', () => {
    const other = encryptionKey({ SECRET_KEY: Buffer.alloc(32, 4).toString('base64') }, 'marketplace-token')
    expect(() => decrypt(encrypt('x', place, key), place, other)).toThrow('another key')
  })

  it('decrypts with the previous key, encrypts with the current', () => {
    const next = Buffer.alloc(32, 4).toString('base64')
    const rotated = encryptionKey({ SECRET_KEY: next, SECRET_KEY_PREVIOUS: master }, 'marketplace-token')
    expect(decrypt(encrypt('x', place, key), place, rotated)).toBe('x')
    const encrypted = encrypt('x', place, rotated)
    expect(decrypt(encrypted, place, encryptionKey({ SECRET_KEY: next }, 'marketplace-token'))).toBe('x')
    expect(() => decrypt(encrypted, place, key)).toThrow('another key')
  })

  it('separates purposes', () => {
    expect(() => decrypt(encrypt('x', place, key), place, encryptionKey({ SECRET_KEY: master }, 'mail'))).toThrow(
      'another key',
    )
    expect(deriveBytes(master, 'a').equals(deriveBytes(master, 'b'))).toBe(false)
  })

  it.each([undefined, '', 'c2hvcnQ='])('refuses to work without 32 bytes of key (%s)', (bad) => {
    expect(() => encryptionKey({ SECRET_KEY: bad }, 'marketplace-token')).toThrow('SECRET_KEY')
  })
})
