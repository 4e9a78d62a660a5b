import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '#e2e/harness/campaigns/any-character.ts'
import { maskEmail, normalizeEmail } from './email.ts'
import { splitFullName } from './name.ts'
import { readPhone } from './phone.ts'

describe('an email address', () => {
  it.each([
    ['Ada@Example.COM', 'ada@example.com'],
    [' ada@example.com ', 'ada@example.com'],
    ['ada＠example.com', 'ada@example.com'],
    ['\u202aada@example.com\u202c', 'ada@example.com'],
    ['\u00a0ada@example.com\u200b\r\n', 'ada@example.com'],
    ['ada@\u200bexample.com', 'ada@example.com'],
    ['ada@exam\u00adple.com', 'ada@example.com'],
    ['anne\u2011marie@example.com', 'anne-marie@example.com'],
    ['ＡＤＡ@example.com', 'ada@example.com'],
    ['\u212Aate@example.com', 'kate@example.com'],
    ['o\uFB03ce@example.com', 'office@example.com'],
    ["a.d+a_-!#$%&'*/=?^`{|}~@example.co", "a.d+a_-!#$%&'*/=?^`{|}~@example.co"],
    ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
    ['ada@BÜCHER.example', 'ada@xn--bcher-kva.example'],
    ['ada@xn--bcher-kva.example', 'ada@xn--bcher-kva.example'],
  ])('%s is %s', (text, address) => {
    expect(normalizeEmail(text)).toBe(address)
  })

  it.each([
    '',
    '@',
    'ada',
    'ada@',
    '@example.com',
    'ada@example',
    'ada@example.',
    'ada@example.com.',
    'ada@.example.com',
    'ada@exa..mple.com',
    'a..da@example.com',
    '.ada@example.com',
    'ada.@example.com',
    'ada@@example.com',
    'ada@b@example.com',
    '"ada"@example.com',
    '"a b"@example.com',
    'ada(x)@example.com',
    'ada b@example.com',
    'ada@exam ple.com',
    'ada@[127.0.0.1]',
    'ada@127.0.0.1',
    'ada@0x7f.1',
    'ada@-example.com',
    'ada@example-.com',
    'ada@example.c',
    'ada@example.123',
    'ada,evil@example.com',
    'ada@example.com,evil@example.com',
    'ada@example.com\r\nBcc: evil@example.com',
    'Ada <ada@example.com>',
    '\u0131da@example.com',
    'ädä@example.com',
    'ada٤@example.com',
    'ада@example.com',
    'ada\u0000@example.com',
    'ada@exa%6dple.com',
    `${'a'.repeat(65)}@example.com`,
    `ada@${'a'.repeat(64)}.com`,
    `ada@${'abcdefg.'.repeat(40)}com`,
    'ada;x@example.com',
    'ada:x@example.com',
    'ada@example.com/x',
    'ada@example.com?x',
    'ada@exa_mple.com',
    'mailto:ada@example.com',
  ])('refuses %j', (text) => {
    expect(normalizeEmail(text)).toBe(null)
  })

  it('normalizes to one lowercase ASCII form', () => {
    const text = fc.oneof(
      fc.emailAddress(),
      fc
        .tuple(fc.string({ unit: anyCharacter }), fc.string({ unit: anyCharacter }))
        .map(([name, host]) => `${name}@${host}.com`),
    )
    fc.assert(
      fc.property(text, (given) => {
        const once = normalizeEmail(given)
        if (once === null) return
        expect(normalizeEmail(once)).toBe(once)
        expect(once).toMatch(/^[\x21-\x7e]+$/)
        expect(once).toBe(once.toLowerCase())
        expect(once.split('@')).toHaveLength(2)
      }),
      { numRuns: 5_000 },
    )
  })

  it('never turns 5,000 lookalikes into another address', () => {
    const confusable = [...'аеорсхуіјѕԁɡһӏΑΒΕΖΗΙΚΜΝΟΡΤΥΧɑα⍺ᴀᴄᴅᴇƖǀ∣⏽ⅠℓﬀﬁﬂﬃﬄﬅſıİK℮ａｂｃ①²𝐚𝒃𝓬𝔡𝕖']
    let tried = 0
    for (const character of confusable) {
      for (let place = 0; place < 12 && tried < 5_000; place++) {
        for (const base of [
          'ada.lovelace',
          'office.kate',
          'i.k.s.l.o',
          'aaaaaaaaaaaa',
          'kkkkkkkkkkkk',
          'ssssssssssss',
          'iiiiiiiiiiii',
          'llllllllllll',
        ]) {
          tried++
          const typed = `${base.slice(0, place)}${character}${base.slice(place + 1)}@example.com`
          const address = normalizeEmail(typed)
          // Either refused, or stored exactly as its compatibility form.
          if (address !== null) expect(address).toBe(typed.normalize('NFKC').toLowerCase())
        }
      }
    }
    expect(tried).toBe(5_000)
  })

  it('is parsed in linear time', () => {
    const long = 100_000
    const hostile = [
      'a'.repeat(long),
      `${'a.'.repeat(long / 2)}@`,
      `${'@'.repeat(long)}`,
      `a@${'a-'.repeat(long / 2)}`,
      `a@${'.'.repeat(long)}`,
      `${'ﬃ'.repeat(long / 2)}@x.com`,
    ]
    for (const text of hostile) {
      const before = process.threadCpuUsage()
      for (const part of [text, text.slice(0, 319), text.slice(-319)]) normalizeEmail(part)
      readPhone(text, ['+1'])
      readPhone(`+${'1'.repeat(39)}`, ['+1'])
      // Quadratic time would take minutes. Processor time, to which other processes add nothing.
      expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(10_000)
    }
  })

  it('is masked without revealing its length', () => {
    expect(maskEmail('a@b.co')).toBe('a•••@b•••.co')
    expect(maskEmail('ada.lovelace@mail.example.com')).toBe('a•••@m•••.com')
  })
})

describe('a phone number', () => {
  const us = ['+1']
  it.each([
    '4155550100',
    '415-555-0100',
    '(415) 555-0100',
    '+1 415 555 0100',
    '+14155550100',
    '+1 (415) 555-0100',
    ' 415.555.0100 ',
    '+1-415/555-0100',
    '1 415 555 0100',
    '\u202a+1 415 555 0100\u202c',
    '\u2066+1 (415) 555-0100\u2069',
    '+1\u00a0415\u202f555\u20090100',
    '+1\u2011415\u2013555\u20120100',
    '+1 415 555\u22120100',
    '\uff0b1 415 555 0100',
    '+14155550100\u200b',
    '４１５５５５０１００',
    '٤١٥٥٥٥٠١٠٠',
  ])('%s is +14155550100', (text) => {
    expect(readPhone(text, us)).toEqual({ phone: '+14155550100' })
  })

  it.each([
    '',
    '+',
    '911',
    '415555010',
    '41555501000',
    '14155550100x',
    '+1 415 555 0100 ext. 5',
    '+1 415 555 0100;ext=5',
    '+1-800-FLOWERS',
    '+0123456789',
    '0014155550100',
    '+1 115 555 0100',
    '+1 415 155 0100',
    '+999123456789',
  ])('refuses %s', (text) => {
    expect(readPhone(text, us)).toEqual({ fault: 'invalid' })
  })

  it('is accepted only in configured countries', () => {
    expect(readPhone('+447400123456', us)).toEqual({ fault: 'not_supported' })
    expect(readPhone('+447400123456', ['+1', '+44'])).toEqual({ phone: '+447400123456' })
    expect(readPhone('+1 900 555 1234', us)).toEqual({ fault: 'not_supported' })
  })

  it('has one form', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'+0123456789 ()-.'), maxLength: 30 }), (text) => {
        const read = readPhone(text, ['+'])
        if ('phone' in read) expect(readPhone(read.phone, ['+'])).toEqual(read)
      }),
      { numRuns: 5_000 },
    )
  })
})

describe('a full name', () => {
  it.each([
    [undefined, '', ''],
    ['', '', ''],
    ['Ada', 'Ada', ''],
    ['Ada King Lovelace', 'Ada', 'King Lovelace'],
    ['  Ada \t Lovelace ', 'Ada', 'Lovelace'],
    ['Ada\r\nBcc: evil', 'Ada', 'Bcc: evil'],
    ['<b>Ada</b> & Co', '<b>Ada</b>', '& Co'],
    ['\u202eevil\u202c Ada', 'evil', 'Ada'],
    ['José Ñandú', 'José', 'Ñandú'],
  ])('splits %j into %j and %j', (text, first_name, last_name) => {
    expect(splitFullName(text)).toEqual({ first_name, last_name })
  })
})
