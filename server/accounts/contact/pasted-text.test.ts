import { describe, expect, it } from 'vitest'
import { plainCode, plainNumber } from './pasted-text.ts'

describe('a pasted code', () => {
  it.each([
    ['as it was sent', '123456'],
    ['with a space before', ' 123456'],
    ['with a line break after', '123456\r\n'],
    ['in two groups', '123 456'],
    ['in two groups with a no-break space', '123\u00a0456'],
    ['in three groups with thin spaces', '12\u202f34\u200956'],
    ['with a hyphen', '123-456'],
    ['with an en dash', '123\u2013456'],
    ['with a no-break hyphen', '123\u2011456'],
    ['with a minus sign', '123\u2212456'],
    ['with direction marks around', '\u202a123456\u202c'],
    ['with a zero-width space', '123\u200b456'],
    ['with a byte order mark', '\ufeff123456'],
    ['in full-width digits', '１２３４５６'],
    ['in Arabic-Indic digits', '١٢٣٤٥٦'],
    ['in Persian digits', '۱۲۳۴۵۶'],
    ['in Devanagari digits', '१२३४५६'],
    ['in Thai digits', '๑๒๓๔๕๖'],
    ['in mathematical digits', '𝟏𝟐𝟑𝟒𝟓𝟔'],
  ])('is read %s', (_name, text) => {
    expect(plainCode(text)).toBe('123456')
  })

  it('keeps what is wrong about it', () => {
    expect(plainCode('12345a')).toBe('12345a')
    expect(plainCode('1234567')).toBe('1234567')
    expect(plainCode('')).toBe('')
  })
})

describe('a pasted number', () => {
  it('reads the ten digits of every script as 0 to 9', () => {
    let scripts = 0
    for (let point = 0x80; point < 0x20000; point++) {
      const digits = Array.from({ length: 10 }, (_, n) => String.fromCodePoint(point + n))
      const isBlock = digits.every((one) => /\p{Nd}/u.test(one)) && /\P{Nd}/u.test(String.fromCodePoint(point - 1))
      if (!isBlock) continue
      scripts++
      expect(plainNumber(digits.join(''))).toBe('0123456789')
    }
    expect(scripts).toBeGreaterThan(50)
  })
})
