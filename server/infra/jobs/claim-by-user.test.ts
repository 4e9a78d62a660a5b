import { expect, it } from 'vitest'
import { claimByUser } from './claim-by-user.ts'

const due = [
  { user_id: 1, id: 'a' },
  { user_id: 2, id: 'b' },
  { user_id: 1, id: 'c' },
]

it('takes the due rows of each user together', async () => {
  const taken = await claimByUser(
    async () => due,
    async (user_id, own) => own.map(({ id }) => `${user_id}${id}`),
  )
  expect(taken).toEqual(['1a', '1c', '2b'])
})

it('looks again while others take everything, but not for ever', async () => {
  let looks = 0
  const find = async () => {
    looks++
    return due
  }
  expect(await claimByUser(find, async (user_id) => (looks === 2 && user_id === 2 ? ['b'] : []))).toEqual(['b'])
  expect(looks).toBe(2)
  expect(await claimByUser(find, async () => [])).toEqual([])
  expect(looks).toBe(5)
})
