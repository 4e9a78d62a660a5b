import { describe, expect, it } from 'vitest'
import { text } from './text.ts'

describe('a message', () => {
  it('has the plural form and number format of the locale', () => {
    expect(text('search.label', { n: 1 })).toBe('Search 1 item')
    expect(text('search.label', { n: 12_345 })).toBe('Search 12,345 items')
  })

  it('isolates the direction of foreign text', () => {
    expect(text('task.when', { reason: '\u202eSold\u2066', when: 'now' })).toBe('Sold, now')
    expect(text('task.when', { reason: 'נמכר', when: 'now' })).toBe('\u2068נמכר\u2069, now')
  })

  it('does not fill gaps inside a value', () => {
    expect(text('task.when', { reason: '{when} $& $1', when: 'now' })).toBe('{when} $& $1, now')
  })
})
