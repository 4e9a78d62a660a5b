import { describe, expect, it } from 'vitest'
import type { PublishRequest } from '../port.ts'
import { knownValue } from './item-details.ts'
import { colorsIn, sizesIn } from './item-words.ts'

const item = (title: string, description = '') =>
  ({ title, description, attributes: {}, options: {} }) as unknown as PublishRequest

describe('the texts of an item', () => {
  it.each([
    ['Mens brown suede trucker jacket, L', ['L']],
    ['Carhartt chore coat 2XL faded', ['2XL']],
    ['Silk blouse size 10 navy', ['10']],
    ["Levi's 501 W32 L34 jeans", []],
    ["Men's H & M parka", []],
    ['J. Crew sweater sz. M', ['M']],
    ['Large leather tote', []],
    ['Pendleton shirt S/M', []],
  ])('finds the size in "%s"', (title, sizes) => {
    expect(sizesIn(title)).toEqual(sizes)
  })

  it('finds colors as whole words', () => {
    expect(colorsIn('Navy and cream striped, Redwing label')).toEqual(['Navy', 'Cream'])
  })

  it('proposes size and color with the text that says them', () => {
    const jacket = item('Mens suede trucker jacket, L', 'Brown suede with snap buttons.')
    expect(knownValue('Size', ['S', 'M', 'L'], true, jacket)).toEqual({ value: 'L', source: 'title' })
    expect(knownValue('Color', ['Brown', 'Black'], true, jacket)).toEqual({ value: 'Brown', source: 'description' })
    expect(knownValue('Colour', [], true, jacket)).toEqual({ value: 'Brown', source: 'description' })
  })

  it('proposes nothing where a description names several values', () => {
    const scarf = item('Striped scarf', 'Brown with a black border.')
    expect(knownValue('Color', ['Brown', 'Black'], true, scarf)).toBeNull()
    expect(knownValue('Color', [], false, item('Brown scarf'))).toBeNull()
  })
})
