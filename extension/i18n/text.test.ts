import { describe, expect, it } from 'vitest'
import { text } from './text.ts'

describe('a text', () => {
  it('chooses its form by the number, and writes numbers as the seller does', () => {
    expect(text('search.label', { n: 1 })).toBe('Search 1 item')
    expect(text('search.label', { n: 12_345 })).toBe('Search 12,345 items')
  })

  it('keeps the direction of strangers’ words to themselves', () => {
    expect(text('task.when', { reason: '\u202eSold\u2066', when: 'now' })).toBe('Sold, now')
    expect(text('task.when', { reason: 'נמכר', when: 'now' })).toBe('\u2068נמכר\u2069, now')
  })

  it('takes no gap out of a stranger’s words', () => {
    expect(text('task.when', { reason: '{when} $& $1', when: 'now' })).toBe('{when} $& $1, now')
  })
})
