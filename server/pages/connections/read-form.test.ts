import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HttpProblem } from '#server/infra/errors.ts'
import { readForm } from './read-form.ts'

let server: Server
beforeAll(async () => {
  const app = new Koa()
  app.use(async (ctx) => {
    ctx.body = await readForm(ctx).then(
      (fields) => [...fields],
      (error: unknown) => {
        if (!(error instanceof HttpProblem)) throw error
        ctx.status = error.status
        return { code: error.code }
      },
    )
  })
  server = createServer(app.callback())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => void server?.close())

async function send(body: string, type = 'application/x-www-form-urlencoded'): Promise<unknown> {
  const { port } = server.address() as AddressInfo
  const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers: { 'content-type': type }, body })
  return answer.json()
}

describe('a form', () => {
  it('has plain names and values', async () => {
    expect(await send('a=1+2&b=%C3%A4%26&c=&d')).toEqual([
      ['a', '1 2'],
      ['b', 'ä&'],
      ['c', ''],
      ['d', ''],
    ])
    expect(await send('a.b=1&c[d]=2&e[]=3&f[0]=4')).toEqual([
      ['a.b', '1'],
      ['c[d]', '2'],
      ['e[]', '3'],
      ['f[0]', '4'],
    ])
    expect(await send('')).toEqual([])
  })

  it.each([
    ['a field twice', 'a=1&b=2&a=3'],
    ['a field five thousand times', 'a&'.repeat(4_999)],
    ['a field twice behind a thousand others', `${Array.from({ length: 1_200 }, (_, n) => `${n}&`).join('')}a=1&a=2`],
    ['a field with brackets twice', 'a[]=1&a[]=2'],
    ['a field twice, once escaped', 'a=1&%61=2'],
    ['U+0000', 'a=%00'],
  ])('is refused with %s', async (_name, body) => {
    expect(await send(body)).toEqual({ code: 'invalid_request' })
  })

  it('is refused above 10 kB, and as another type', async () => {
    expect(await send(`a=${'b'.repeat(10_000)}`)).toEqual({ code: 'payload_too_large' })
    expect(await send('a=1', 'text/plain')).toEqual({ code: 'unsupported_media_type' })
  })

  it('changes no prototype', async () => {
    await send('__proto__=1&constructor[prototype][admin]=1&__proto__[admin]=1&a.__proto__.admin=1')
    expect(({} as { admin?: string }).admin).toBeUndefined()
  })
})
