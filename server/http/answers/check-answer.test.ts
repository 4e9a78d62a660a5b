import { expect, test } from 'vitest'
import { z } from 'zod'
import { checkAnswer } from './check-answer.ts'

const Key = z.object({ id: z.string(), scopes: z.array(z.string()), note: z.string().optional() })

test('accepts an answer of the declared shape', () => {
  expect(() => checkAnswer(Key, { id: 'key_1', scopes: ['a'], note: undefined })).not.toThrow()
})

test('refuses a member of another type', () => {
  expect(() => checkAnswer(Key, { id: 1, scopes: [] })).toThrow('does not fit its declaration')
})

test('refuses a member that the declaration lacks', () => {
  const row = { id: 'key_1', scopes: [], key_hash: 'secret' }
  expect(() => checkAnswer(Key, row)).toThrow()
  expect(() => checkAnswer(z.array(Key), [row])).toThrow()
})
