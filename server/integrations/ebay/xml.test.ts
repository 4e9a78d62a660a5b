import { describe, expect, it } from 'vitest'
import { escapeXml, parseXml } from './xml.ts'

describe('reading XML', () => {
  it('keeps prices, leading zeros and blanks as text', () => {
    const document = parseXml('<a><p c="0.10">5.30</p><n>0012</n><s> A 1 </s><t>true</t></a>')
    expect(document.a).toEqual({ p: { '#text': '5.30', '@c': '0.10' }, n: '0012', s: ' A 1 ', t: 'true' })
  })

  it('decodes text once and keeps CDATA', () => {
    const document = parseXml('<a><b>&lt;p&gt;&amp;lt;&amp;amp;&#233;&#x1F600;</b><c><![CDATA[<p>&amp;</p>]]></c></a>')
    expect(document.a).toEqual({ b: '<p>&lt;&amp;é😀', c: '<p>&amp;</p>' })
  })

  it('reads a description with 160,000 entities', () => {
    expect(parseXml(`<a>${'&lt;b&gt;'.repeat(80_000)}</a>`).a).toHaveLength(240_000)
  })

  it.each([
    ['cut off', '<a><b>1</b>'],
    ['a page of HTML', '<html><body>Back soon<br></body></html>'],
    ['plain text', 'Service Unavailable'],
    ['nothing', ''],
    ['two documents', '<a/><b/>'],
    [
      'an entity declared after a comment',
      '<!-- x --><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
    ],
    ['500 nested elements', `${'<a>'.repeat(500)}${'</a>'.repeat(500)}`],
  ])('refuses %s', (_, text) => {
    expect(() => parseXml(text)).toThrow()
  })

  it.each(['<!DOCTYPE a><a>1</a>', '<?xml version="1.0"?>\n<!DOCTYPE a [<!ENTITY b "bbbb">]><a>&b;&b;</a>'])(
    'refuses a DOCTYPE before the parser sees it: %s',
    (text) => {
      expect(() => parseXml(text)).toThrow('has a DOCTYPE')
    },
  )

  it('replaces forbidden characters and drops U+0000', () => {
    expect(parseXml('<a>x&#0;y&#xD800;z\u0000</a>').a).toBe('x\uFFFDy\uFFFDz')
  })

  it('leaves out characters that XML cannot have', () => {
    const text = ['a\u0001b', '\u000bc', '\ud83dd', '\uffffe', '\t\n😀'].join('')
    expect(escapeXml(text)).toBe('abcde\t\n😀')
  })

  it('reads escaped text back unchanged', () => {
    const text = `<>&"' é 😀`
    expect(parseXml(`<a b="${escapeXml(text)}">${escapeXml(text)}</a>`).a).toEqual({ '#text': text, '@b': text })
  })
})
