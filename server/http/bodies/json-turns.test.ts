import { Readable } from 'node:stream'
import type Koa from 'koa'
import { expect, it } from 'vitest'
import { jsonReader } from './read-json.ts'

const read = jsonReader('batch')
const large = JSON.stringify({ x: 'a'.repeat(100_000) })

/** Reads a body of an account and returns its number of parts. */
function send(user_id: number, text = large) {
  const req = Object.assign(Readable.from([Buffer.from(text)]), { headers: {} })
  return read({ req, state: { principal: { user_id }, address: '127.0.0.1' } } as unknown as Koa.Context)
}

it('reads the large bodies of accounts in turns', async () => {
  const read: number[] = []
  const senders = [1, 1, 1, 1, 1, 2, 3]
  await Promise.all(senders.map((account) => send(account).then(() => read.push(account))))
  expect(read).toEqual([1, 2, 3, 1, 1, 1, 1])
})

it('lets other work go on between the steps of large bodies', async () => {
  let turns = 0
  let isDone = false
  const count = () => {
    turns++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  await Promise.all(Array.from({ length: 10 }, (_, account) => send(account)))
  isDone = true
  expect(turns).toBeGreaterThanOrEqual(30)
})

it('keeps no small body waiting for a large one', async () => {
  const read: string[] = []
  const sent = Array.from({ length: 3 }, () => send(1).then(() => read.push('large')))
  await Promise.all([...sent, send(1, '{}').then(() => read.push('small'))])
  expect(read[0]).toBe('small')
})

it('takes the next turn after a body that is refused', async () => {
  const refused = send(1, `${large}}`)
  const next = send(1)
  await expect(refused).rejects.toMatchObject({ code: 'invalid_json' })
  expect(await next).toMatchObject({ bytes: large.length })
})
