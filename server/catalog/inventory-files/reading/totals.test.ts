import { describe, expect, it } from 'vitest'
import { readFile } from '../read-file.ts'

const heading = 'SKU,Title,Price,Cost,Condition,Quantity'
const reasons = (...rows: string[]) =>
  readFile(`${[heading, ...rows].join('\n')}\n`).rows.map(({ left }) => left?.reason)
const hat = 'H-1,Felt hat,45,10,Used,1'

describe('a line of totals', () => {
  it.each([
    'Total,,1245.00,300,,',
    ',Grand Total,"$1,245.00",,,1',
    ',TOTAL:,1245,,,',
    ',Total items,12,,,',
    ',Sum,45,10,,',
    ',Gesamt,"45,00 €",,,',
    'Summe:,,45,,,1',
    ',Total général,45,,,',
    ',Totale,45,,,1',
    'Total: 12 items,,,,,',
    ',Subtotal,45,10,,',
    ',,45,10,,',
    ',,,,,12',
  ])('is left out, as %s', (row) => {
    expect(reasons(hat, row)).toEqual([undefined, 'is a line of totals'])
  })

  it.each([
    'T-1,Total Recall poster,45,10,Used,1',
    'T-2,Summer hat,45,10,Used,1',
    ',Total,45,10,Used,1',
    '1001,501,45,10,,1',
  ])('is not %s', (row) => {
    expect(reasons(hat, row)).toEqual([undefined, undefined])
  })

  it('without a word is none above items', () => {
    expect(reasons(',,45,10,,', hat)).toEqual([undefined, undefined])
  })
})
