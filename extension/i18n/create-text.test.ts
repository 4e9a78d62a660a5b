import { describe, expect, it } from 'vitest'
import { createText } from './create-text.ts'

const { text } = createText({ found: { one: '{n} item found', other: '{n} items found' }, when: '{reason}, {when}' })

describe('a message', () => {
  it('has the plural form and number format of the locale', () => {
    expect(text('found', { n: 1 })).toBe('1 item found')
    expect(text('found', { n: 12_345 })).toBe('12,345 items found')
  })

  it('isolates the direction of foreign text', () => {
    expect(text('when', { reason: '\u202eSold\u2066', when: 'now' })).toBe('Sold, now')
    expect(text('when', { reason: 'נמכר', when: 'now' })).toBe('\u2068נמכר\u2069, now')
  })

  it('does not fill gaps inside a value', () => {
    expect(text('when', { reason: '{when} $& $1', when: 'now' })).toBe('{when} $& $1, now')
  })
})
