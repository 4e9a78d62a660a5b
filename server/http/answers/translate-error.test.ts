import { expect, it } from 'vitest'
import { translateError } from './translate-error.ts'

it.each(['40P01', '40001', '53100', '57014'])('answers PostgreSQL’s error %s with 503 and Retry-After', (code) => {
  expect(translateError(Object.assign(new Error('from the database'), { code }))).toMatchObject({
    status: 503,
    code: 'unavailable',
    headers: { 'retry-after': '2' },
  })
})

it('answers an unexpected error with 500, without its text', () => {
  const answer = translateError(new Error('secret'))
  expect([answer.status, answer.code, answer.message.includes('secret')]).toEqual([500, 'internal', false])
})
