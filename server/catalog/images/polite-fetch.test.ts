import { expect, it } from 'vitest'
import { type FetchPicture, PictureError } from '#server/integrations/fetch-picture.ts'
import { createPoliteFetch } from './polite-fetch.ts'

const picture = { bytes: Buffer.from('x'), type: 'image/jpeg' } as const
const failure = (status: number) => new PictureError('It failed.', status >= 429, { status })

/** A host that answers what `answer` says; counts its requests. */
function hostOf() {
  const host = { answer: async (): Promise<typeof picture> => picture, requests: 0, nowMs: 0 }
  const fetchPicture: FetchPicture = () => {
    host.requests++
    return host.answer()
  }
  const fetch = createPoliteFetch(fetchPicture, () => host.nowMs)
  const ask = (url = 'https://i.example/1.jpg', user_id = 1) =>
    fetch(url, undefined, user_id).catch((error: PictureError) => error.passes)
  return { host, ask }
}

it('asks a host for two pictures at once, and others meanwhile', async () => {
  const { host, ask } = hostOf()
  const { promise, resolve } = Promise.withResolvers<typeof picture>()
  host.answer = () => promise
  const asked = [ask(), ask(), ask(), ask('https://other.example/1.jpg')]
  await new Promise(setImmediate)
  expect(host.requests).toBe(3)
  resolve(picture)
  await Promise.all(asked)
  expect(host.requests).toBe(4)
})

it('leaves a host alone that asks for it, longer each time', async () => {
  const { host, ask } = hostOf()
  host.answer = () => Promise.reject(failure(429))
  expect(await ask()).toBe(true)
  for (const restMs of [60_000, 120_000]) {
    host.nowMs += restMs - 1
    const before = host.requests
    expect([await ask(), host.requests]).toEqual([true, before])
    host.nowMs += 1
    await ask()
    expect(host.requests).toBe(before + 1)
  }
})

it('leaves a host alone after three failures in a row', async () => {
  const { host, ask } = hostOf()
  const answers = [500, 500, 0, 500, 404, 500, 500]
  host.answer = () => {
    const status = answers.shift()!
    return status === 0 ? Promise.resolve(picture) : Promise.reject(failure(status))
  }
  for (let count = 0; count < 10; count++) await ask()
  expect(host.requests).toBe(7)
  host.nowMs = 60_000
  host.answer = async () => picture
  expect(await ask()).toEqual(picture)
})

it('counts the names below a domain as one host, for each account', async () => {
  const { host, ask } = hostOf()
  host.answer = () => Promise.reject(new PictureError('A picture could not be fetched.', true))
  for (let count = 0; count < 24; count++) await ask(`https://${count}.pictures.example/1.jpg`)
  expect(host.requests).toBe(3)
  host.answer = async () => picture
  expect(await ask('https://1.pictures.example/1.jpg', 2)).toEqual(picture)
  expect(await ask('https://other.test/1.jpg')).toEqual(picture)
})

it('tells addresses apart that are no names', async () => {
  const { host, ask } = hostOf()
  host.answer = () => Promise.reject(failure(500))
  for (let count = 0; count < 3; count++) await ask('http://192.0.2.1/1.jpg')
  host.answer = async () => picture
  expect(await ask('http://198.51.2.1/1.jpg')).toEqual(picture)
})
