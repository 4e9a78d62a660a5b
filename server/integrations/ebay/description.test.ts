import { describe, expect, it } from 'vitest'
import { ebayDescription } from './description.ts'
import { regulatoryOf } from './publish/regulatory.ts'

const of = (text: string, max = 500_000) => ebayDescription(text, 'Jug', max)

describe('descriptions for eBay', () => {
  it('keeps lines and characters of plain text', () => {
    expect(of('First line\nSize 5 < 6 & "so on"\r\n\r\nEnd')).toBe(
      'First line<br>Size 5 &lt; 6 &amp; "so on"<br><br>End',
    )
  })

  it('keeps formatting, and drops active content and links', () => {
    const html =
      '<p onclick="x()">Jug <b>blue</b></p><script>alert(1)</script><a href="https://elsewhere.example">my shop</a><img src="http://x.example/1.jpg"><img src="https://x.example/2.jpg" onerror="x()"><iframe src="https://x.example"></iframe>'
    expect(of(html)).toBe('<p>Jug <b>blue</b></p>my shop<img src="https://x.example/2.jpg" />')
  })

  it.each(['', '   ', '<p> </p>', '<script>alert(1)</script>'])('uses the title instead of %j', (text) => {
    expect(of(text)).toBe('Jug')
  })

  it.each([11, 12, 13, 14, 15, 40])('cuts at %i without splitting a tag, entity or character', (max) => {
    for (const text of ['A & B < C\nD 👜👜👜 E', '<p>A &amp; B &lt; C</p><p>D 👜👜👜 <b>E and more words</b></p>']) {
      const cut = of(text, max)
      expect(cut.length).toBeLessThanOrEqual(max)
      expect(cut.isWellFormed()).toBe(true)
      expect(cut.replace(/<br>|<\/?[bp]>|&(amp|lt|gt);/g, '')).not.toMatch(/[<>&]/)
    }
  })
})

describe('product safety for eBay', () => {
  it('sends manufacturer and responsible person', () => {
    const contact = { name: 'Maker GmbH', line1: 'Weg 1', city: 'Berlin', postal_code: '10115', country: 'DE' }
    const address = {
      CompanyName: 'Maker GmbH',
      Street1: 'Weg 1',
      CityName: 'Berlin',
      PostalCode: '10115',
      Country: 'DE',
    }
    const sent = regulatoryOf({ attributes: { regulatory: { manufacturer: contact, responsible_person: contact } } })
    expect(JSON.parse(JSON.stringify(sent))).toEqual({
      Manufacturer: address,
      ResponsiblePersons: { ResponsiblePerson: { ...address, Types: { Type: 'EUResponsiblePerson' } } },
    })
    expect(regulatoryOf({ attributes: {} })).toBeNull()
  })
})
