import { describe, expect, it } from 'vitest'
import { rowOf } from '#extension/storage/inventory-cache/row.ts'
import { sampleInventory } from '#extension/testing/sample-inventory.ts'
import { findCommands } from './commands.ts'
import { placeOf } from './place.ts'

const rows = sampleInventory(200).map((item) => rowOf(item, 1))
const words = (query: string, uid?: string) =>
  findCommands(rows, placeOf(uid ? `#item/${uid}` : '#home'), query).map((one) => one.words)

describe('the palette', () => {
  it('offers actions and pages before anything is typed', () => {
    expect(words('')).toEqual(expect.arrayContaining(['Add item', 'Inventory', 'Recent changes']))
    expect(words('')).not.toContain(rows[0]!.title)
  })

  it('finds items first, a few of them', () => {
    const found = findCommands(rows, placeOf('#home'), 'coat')
    expect(found.filter(({ kind }) => kind === 'item')).toHaveLength(8)
    expect(found[0]).toMatchObject({ kind: 'item', hash: `item/${found[0]!.row!.uid}` })
  })

  it('finds pages by the begin of their words, in any case', () => {
    expect(words('REC cha')).toContain('Recent changes')
    expect(words('zzz')).toEqual([])
  })

  it.each([
    ['labels', ['Inventory', 'Shelf check', 'To ship']],
    ['shipping label', ['To ship']],
    ['price tags', ['Inventory']],
    ['settings', ['Defaults']],
    ['vendoo', ['Import or export files']],
    ['etsy', ['Shops']],
    ['profit', ['Sales']],
    ['undo', ['Recent changes']],
    ['gmail', ['Sale mail']],
  ])('finds pages by what sellers call them: %s', (query, found) => {
    expect(words(query).sort()).toEqual(found)
  })

  it('has the actions of the open item', () => {
    expect(words('this item', 'inv_1')).toEqual([
      'Edit this item',
      'List this item on…',
      'Duplicate this item',
      'Print labels of this item',
    ])
    expect(words('price tag', 'inv_1')[0]).toBe('Print labels of this item')
    expect(words('this item')).toEqual([])
  })
})
