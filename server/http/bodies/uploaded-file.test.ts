import { describe, expect, it } from 'vitest'
import { readUploadedFile } from './uploaded-file.ts'

const boundary = 'a-boundary'
const type = `multipart/form-data; boundary=${boundary}`
const largest = 15_000_000
/** Longest processor time of a turn in ms. Parsed in one turn, these forms take seconds. */
const mostMs = 200

interface Part {
  name?: string
  filename?: string
  headers?: string
  body?: Buffer | string
}

function form(parts: Part[], mark = boundary): Buffer {
  const pieces = parts.flatMap(({ name = 'file', filename, headers = '', body = '' }) => [
    `--${mark}\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}\r\n`,
    `${headers}\r\n`,
    body,
    '\r\n',
  ])
  return Buffer.concat([...pieces, `--${mark}--\r\n`].map((piece) => Buffer.from(piece as string)))
}

const file = { filename: 'a.jpg', body: 'picture' }
const textOf = async (body: Buffer, contentType = type) =>
  Buffer.from(await readUploadedFile(body, contentType)).toString()

describe('the file of a form', () => {
  it.each([
    ['alone', form([file])],
    ['between fields', form([{ name: 'a', body: '1' }, file, { name: 'b', body: '2' }])],
    ['after text that belongs to no part', Buffer.concat([Buffer.from('preamble\r\n'), form([file])])],
  ])('is read %s', async (_name, body) => {
    expect(await textOf(body)).toBe('picture')
  })

  it.each([
    ['in quotes', `multipart/form-data; boundary="${boundary}"`],
    ['after another parameter that ends like it', `multipart/form-data; xboundary=zzzzzz; boundary=${boundary}`],
    ['in capitals', `Multipart/Form-Data; BOUNDARY=${boundary}`],
    ['before another parameter', `multipart/form-data; boundary=${boundary}; charset=utf-8`],
  ])('is found by a boundary %s', async (_name, contentType) => {
    expect(await textOf(form([file]), contentType)).toBe('picture')
  })

  it('keeps every byte', async () => {
    const body = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => (index * 7919) % 256))
    const tricky = Buffer.concat([Buffer.from(`\r\n--${boundary.slice(0, -1)}\r\n--\r\n`), body, Buffer.from('\r\n\r')])
    expect(tricky.equals(await readUploadedFile(form([{ ...file, body: tricky }]), type))).toBe(true)
  })

  it.each([
    ['no file', form([{ name: 'a', body: '1' }]), type],
    ['two files', form([file, file]), type],
    ['too many parts', form([...Array.from({ length: 10 }, () => ({ name: 'a', body: '1' })), file]), type],
    ['no boundary', form([file]), 'multipart/form-data'],
    ['another boundary', form([file]), 'multipart/form-data; boundary=other'],
    ['no end', form([file]).subarray(0, -12), type],
    ['nothing', Buffer.alloc(0), type],
    ['many header lines', form([{ ...file, headers: 'a: b\r\n'.repeat(3_000) }]), type],
    ['a long header', form([{ ...file, headers: `a: ${'b'.repeat(20_000)}\r\n` }]), type],
    ['much before its parts', Buffer.concat([Buffer.alloc(20_000, 'x\r\n'), form([file])]), type],
    ['much after its parts', Buffer.concat([form([file]), Buffer.alloc(20_000, 'x\r\n')]), type],
  ])('is refused with %s', async (_name, body, contentType) => {
    await expect(readUploadedFile(body, contentType)).rejects.toMatchObject({ code: 'invalid_request' })
  })

  const short = 'multipart/form-data; xboundary=zzzzzz; boundary=a'
  it.each<[string, Buffer, string]>([
    ['parts', Buffer.alloc(largest, '--a\r\n\r\n\r\n'), short],
    ['named parts', Buffer.alloc(largest, '--a\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'), short],
    ['header lines', Buffer.concat([Buffer.from('--a\r\n'), Buffer.alloc(largest, 'a:b\r\n')]), short],
    ['a header', Buffer.concat([Buffer.from('--a\r\na:'), Buffer.alloc(largest, 'a')]), short],
    ['line ends', form([{ ...file, body: Buffer.alloc(largest, '\r\n') }]), type],
    [
      'beginnings of a boundary',
      form([{ ...file, body: Buffer.alloc(largest, `\r\n--${boundary.slice(0, -1)}`) }]),
      type,
    ],
    ['no part', Buffer.alloc(largest, 'x'), type],
    [
      'dashes',
      form([{ ...file, body: Buffer.alloc(largest, '-') }], '-'.repeat(60)),
      `${type.slice(0, -boundary.length)}${'-'.repeat(60)}`,
    ],
  ])('does not hold up others with 15 MB of %s', async (_name, body, contentType) => {
    const longest = await longestTurn(() => readUploadedFile(body, contentType).catch(() => undefined))
    expect(longest).toBeLessThan(mostMs)
  })
})

/** Returns the processor time of this thread in ms, to which other processes add nothing. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** Returns the longest time in ms in which the event loop did nothing else: the best of a few tries. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 5 && best >= mostMs; tries++) {
    let longest = 0
    let isDone = false
    let lastMs = threadMs()
    const watch = () => {
      longest = Math.max(longest, threadMs() - lastMs)
      lastMs = threadMs()
      if (!isDone) setImmediate(watch)
    }
    setImmediate(watch)
    await work()
    isDone = true
    longest = Math.max(longest, threadMs() - lastMs)
    best = Math.min(best, longest)
  }
  return best
}
