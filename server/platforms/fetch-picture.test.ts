import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { drawPicture } from './fake/picture.ts'
import { createFetchPicture, PictureError } from './fetch-picture.ts'
import { isPublicAddress } from './public-address.ts'

const png = drawPicture('1', 1, 'A jug')
let server: Server
let origin: string
let asked = 0
beforeAll(async () => {
  server = createServer((request, response) => {
    asked++
    if (request.url === '/redirect') return void response.writeHead(302, { location: '/1.png' }).end()
    if (request.url === '/html') return void response.writeHead(200, { 'content-type': 'image/png' }).end('<html>')
    if (request.url === '/huge') return void response.writeHead(200).end(Buffer.concat([png, Buffer.alloc(60_000)]))
    if (request.url === '/slow') return
    if (request.url === '/500') return void response.writeHead(500).end()
    response.writeHead(200, { 'content-type': 'text/plain' }).end(png)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server?.closeAllConnections()
  server?.close()
})

const fetchPicture = (more: Partial<Parameters<typeof createFetchPicture>[0]> = {}) =>
  createFetchPicture({ platformOrigins: [], timeoutMs: 300, maxBytes: 50_000, ...more })

describe('T84: pictures from strangers’ addresses', () => {
  it('come byte for byte from a configured platform’s own host, by what they are and not by what is said', async () => {
    const picture = await fetchPicture({ platformOrigins: [origin] })(`${origin}/1.png`)
    expect(picture.bytes.equals(png)).toBe(true)
    expect(picture.type).toBe('image/png')
  })

  it.each([
    ['/redirect', false],
    ['/html', false],
    ['/huge', false],
    ['/slow', true],
    ['/500', true],
  ])('%s is refused, and may pass: %s', async (path, passes) => {
    const attempt = fetchPicture({ platformOrigins: [origin] })(`${origin}${path}`)
    await expect(attempt).rejects.toMatchObject({ name: 'PictureError', passes })
  })

  it.each([
    'http://pictures.example.com/1.png',
    'https://user:pass@pictures.example.com/1.png',
    'https://pictures.example.com:8443/1.png',
    'ftp://pictures.example.com/1.png',
    'file:///etc/passwd',
    'data:image/png;base64,AAAA',
    'not an address',
    'https://127.0.0.1/1.png',
    'https://0/1.png',
    'https://0x7f000001/1.png',
    'https://017700000001/1.png',
    'https://2130706433/1.png',
    'https://[::1]/1.png',
    'https://[::ffff:127.0.0.1]/1.png',
    'https://[::ffff:7f00:1]/1.png',
    'https://[fe80::1]/1.png',
    'https://[fd00::1]/1.png',
    'https://[64:ff9b::7f00:1]/1.png',
    'https://[2002:7f00:1::]/1.png',
    'https://169.254.169.254/latest/meta-data/',
    'https://10.1.2.3/1.png',
    'https://localhost/1.png',
  ])('%s is not fetched', async (address) => {
    const before = asked
    const resolve = async (host: string) => {
      const known = host === 'localhost' || host === '0' ? '127.0.0.1' : host
      return [{ address: known.includes('example.com') ? '93.184.216.34' : known, family: known.includes(':') ? 6 : 4 }]
    }
    await expect(fetchPicture({ resolve })(address)).rejects.toBeInstanceOf(PictureError)
    expect(asked).toBe(before)
  })

  it('a host with one address that is not public is refused whole, and is resolved once', async () => {
    let times = 0
    const resolve = async () => {
      times++
      return [
        { address: '93.184.216.34', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ]
    }
    await expect(fetchPicture({ resolve })('https://pictures.example.com/1.png')).rejects.toMatchObject({
      passes: false,
    })
    expect(times).toBe(1)
  })

  it('the name is resolved once: what it says next is not asked', async () => {
    let times = 0
    const resolve = async () => [{ address: times++ === 0 ? '127.0.0.2' : '127.0.0.1', family: 4 }]
    // Nobody listens for https there; the name itself, which does not exist, is not looked up again.
    const attempt = fetchPicture({ resolve, isPublic: () => true })('https://rebind.invalid/1.png')
    const error = await attempt.catch((caught: unknown) => caught)
    expect(error).toMatchObject({ passes: true, cause: { code: 'ECONNREFUSED', address: '127.0.0.2' } })
    expect(times).toBe(1)
  })
})

describe('addresses of the public internet', () => {
  it.each(['8.8.8.8', '93.184.216.34', '2606:4700::1111', '2a00:1450:4001::1'])('%s is one', (address) =>
    expect(isPublicAddress(address)).toBe(true),
  )
  it.each([
    ...['0.0.0.0', '10.0.0.1', '100.64.0.1', '127.1.2.3', '169.254.169.254', '172.31.255.255', '192.168.0.1'],
    ...['192.0.0.8', '192.0.2.1', '198.18.0.1', '198.51.100.7', '203.0.113.9', '224.0.0.1', '255.255.255.255'],
    ...['::', '::1', '::ffff:8.8.8.8', 'fe80::1', 'fc00::1', 'ff02::1', '64:ff9b::808:808', '2001::1', '2001:db8::1'],
    ...['2002:808:808::', 'localhost', '', '8.8.8'],
  ])('%s is none', (address) => expect(isPublicAddress(address)).toBe(false))
})
