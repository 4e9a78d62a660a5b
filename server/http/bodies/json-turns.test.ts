import { Readable } from 'node:stream'
import type Koa from 'koa'
import { expect, it, onTestFinished, vi } from 'vitest'
import { TooLongError } from '#server/infra/own-thread.ts'
import { jsonReader } from './read-json.ts'

const read = jsonReader('batch')
const large = JSON.stringify({ x: 'a'.repeat(100_000) })

/** Accounts of no other test: turns remember what an account has used lately. */
const [first, second, third] = [1e9 + 1, 1e9 + 2, 1e9 + 3]

/** Reads a body of an account. */
function send(user_id: number, text = large) {
  const req = Object.assign(Readable.from([Buffer.from(text)]), { headers: {} })
  return read({ req, state: { principal: { user_id }, address: '127.0.0.1' } } as unknown as Koa.Context)
}

it('reads the large bodies of accounts in turns', async () => {
  const read: number[] = []
  const senders = [first, first, first, first, first, second, third]
  await Promise.all(senders.map((account) => send(account).then(() => read.push(account))))
  expect(read).toEqual([first, second, third, first, first, first, first])
})

it('inspects a large body on a thread of its own, whose time ends', async () => {
  const late = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort())
  onTestFinished(() => late.mockRestore())
  await expect(send(first)).rejects.toThrow(TooLongError)
  expect(await send(first, '{}')).toMatchObject({ value: {} })
})

it('lets other work go on between the steps of large bodies', async () => {
  let turns = 0
  let isDone = false
  const count = () => {
    turns++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  await Promise.all(Array.from({ length: 10 }, (_, index) => send(2e9 + index)))
  isDone = true
  expect(turns).toBeGreaterThanOrEqual(30)
})

it('keeps no small body waiting for a large one', async () => {
  const read: string[] = []
  const sent = Array.from({ length: 3 }, () => send(first).then(() => read.push('large')))
  await Promise.all([...sent, send(first, '{}').then(() => read.push('small'))])
  expect(read[0]).toBe('small')
})

it('takes the next turn after a body that is refused', async () => {
  const refused = send(first, `${large}}`)
  const next = send(first)
  await expect(refused).rejects.toMatchObject({ code: 'invalid_json' })
  expect(await next).toMatchObject({ bytes: large.length })
})
