import { expect, it } from 'vitest'
import { createFileReader } from './file-reader.ts'

const bytes = Buffer.from('sku,title\nA-1,Lamp\n')
const worker = new URL('./testing/endless-worker.ts', import.meta.url)
const stays = () => new AbortController().signal

/** Returns the turns of the event loop during a promise, and its rejection. */
async function turnsDuring(promise: Promise<unknown>) {
  let turns = 0
  const counting = setInterval(() => turns++, 5)
  const error = await promise.catch((reason: unknown) => reason)
  clearInterval(counting)
  return { turns, error }
}

it('reads a file on its thread', async () => {
  const file = await createFileReader()({ bytes, charset: null }, 1, stays())
  expect(file.rows).toMatchObject([{ cells: { sku: 'A-1', title: 'Lamp' } }])
})

it('refuses a file in the words of its thread', async () => {
  const refusal = createFileReader()({ bytes: Buffer.from('a,b\n'), charset: null }, 1, stays())
  await expect(refusal).rejects.toMatchObject({ code: 'invalid_request', errors: [{ code: 'unknown_columns' }] })
})

it('ends a file that takes too long, and others are answered meanwhile', async () => {
  const read = createFileReader({ worker, timeoutMs: 700 })
  const { turns, error } = await turnsDuring(read({ bytes, charset: null }, 1, stays()))
  expect(error).toMatchObject({ code: 'unavailable', message: expect.stringContaining('took too long') })
  // None, if the file were read on the thread that answers.
  expect(turns).toBeGreaterThan(0)
})

it('ends a file whose client has left', async () => {
  const leaving = new AbortController()
  const read = createFileReader({ worker })
  setTimeout(() => leaving.abort(new Error('left')), 300)
  const { error } = await turnsDuring(read({ bytes, charset: null }, 1, leaving.signal))
  expect(error).toMatchObject({ message: 'left' })
})

it('keeps no small file waiting for the large ones of other accounts', async () => {
  const leaving = new AbortController()
  const read = createFileReader({ worker })
  const large = [1, 2].map((account) =>
    read({ bytes: Buffer.alloc(2_000_000), charset: null }, account, leaving.signal).catch(({ message }) => message),
  )
  const small = read({ bytes: Buffer.alloc(0), charset: null }, 3, stays())
  await expect(small).rejects.toMatchObject({ code: 'invalid_request' })
  leaving.abort(new Error('left'))
  expect(await Promise.all(large)).toEqual(['left', 'left'])
})
