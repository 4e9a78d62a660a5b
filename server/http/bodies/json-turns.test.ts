import { Readable } from 'node:stream'
import type Koa from 'koa'
import { expect, it } from 'vitest'
import { waysIn } from '#server/infra/ways-in/ways-in.ts'
import { parseJson } from './parse-json.ts'
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

it('inspects a large body apart from the main thread', async () => {
  const members = Array.from({ length: 40_000 }, (_, index) => `"${String(index).padEnd(150)}":0`).join()
  const body = `{${members},"z":"\\u0000"}`
  await send(first)
  const [before, bytes] = [process.threadCpuUsage(), Buffer.from(body)]
  expect(() => parseJson(bytes, waysIn.batch)).toThrow(/not text/)
  const here = process.threadCpuUsage(before).user
  const again = process.threadCpuUsage()
  await expect(send(first, body)).rejects.toMatchObject({ code: 'invalid_request' })
  expect(process.threadCpuUsage(again).user).toBeLessThan(here / 2)
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
