import { describe, expect, it } from 'vitest'
import { currentEra, eraOfYear, erasOf, isVintage, neighbouringEras } from './era.ts'

describe("Etsy's values of when_made", () => {
  it.each([
    [2025, ['2020_2025', '2010_2019', '2006_2009', 'before_2006', '2000_2005']],
    [2026, ['2020_2026', '2010_2019', '2007_2009', 'before_2007', '2000_2006']],
    [2027, ['2020_2027', '2010_2019', '2008_2009', 'before_2008', '2000_2007']],
  ])('match the document of %i', (year, moving) => {
    const decades = ['1990s', '1980s', '1970s', '1960s', '1950s', '1940s', '1930s', '1920s', '1910s', '1900s']
    expect(erasOf(year)).toEqual(['made_to_order', ...moving, ...decades, '1800s', '1700s', 'before_1700'])
  })

  it('have no empty range until 2060', () => {
    for (let year = 2026; year < 2060; year++) {
      for (const era of erasOf(year)) {
        const [, from, to] = /^(\d{4})_(\d{4})$/.exec(era) ?? []
        if (from) expect(Number(from), `${era} in ${year}`).toBeLessThanOrEqual(Number(to))
      }
      expect(new Set(erasOf(year)).size).toBe(erasOf(year).length)
    }
  })

  it.each([
    ['2020_2025', 2026, '2020_2026'],
    ['2006_2009', 2026, '2007_2009'],
    ['before_2006', 2027, 'before_2008'],
    ['2000_2006', 2027, '2000_2007'],
    ['2020_2027', 2026, '2020_2026'],
    ['1970s', 2027, '1970s'],
    ['made_to_order', 2027, 'made_to_order'],
    ['long ago', 2026, 'long ago'],
  ])('maps %s in %i to %s', (era, year, now) => expect(currentEra(era, year)).toBe(now))

  it('have neighbors only if they change with the year', () => {
    expect(neighbouringEras('2020_2026', 2026)).toEqual(['2020_2027', '2020_2025'])
    expect(neighbouringEras('before_2007', 2026)).toEqual(['before_2008', 'before_2006'])
    expect(neighbouringEras('2010_2019', 2026)).toEqual([])
    expect(neighbouringEras('1970s', 2026)).toEqual([])
  })

  it.each([
    [1650, 'before_1700'],
    [1899, '1800s'],
    [1975, '1970s'],
    [2006, '2000_2006'],
    [2007, '2007_2009'],
    [2015, '2010_2019'],
    [2024, null],
  ])('maps the year %i to %s', (made, era) => expect(eraOfYear(made, 2026)).toBe(era))

  it('are vintage depending on the year', () => {
    expect([isVintage('2000_2006', 2026), isVintage('2007_2009', 2026), isVintage('1990s', 2026)]).toEqual([
      true,
      false,
      true,
    ])
    expect(isVintage('made_to_order', 2026)).toBe(false)
  })
})
