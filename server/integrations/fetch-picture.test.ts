import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { lookup } from 'node:dns/promises'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, isIP } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isPublicAddress } from '#server/http/outbound/public-address.ts'
import { drawPicture } from '#server/sandbox/kit/picture.ts'
import { createFetchPicture, PictureError } from './fetch-picture.ts'

const png = await drawPicture('1', 1, 'A jug')
let server: Server
let origin: string
let requests = 0
beforeAll(async () => {
  server = createServer((request, response) => {
    requests++
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
  createFetchPicture({ platformOrigins: [], timeoutMs: 60_000, maxBytes: 50_000, ...more })

describe('fetching pictures', () => {
  it('detects the type from the bytes, not the header', async () => {
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
  ])('fails for %s, with passes %s', async (path, passes) => {
    const timeoutMs = path === '/slow' ? 300 : 60_000
    const attempt = fetchPicture({ platformOrigins: [origin], timeoutMs })(`${origin}${path}`)
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
  ])('refuses %s', async (address) => {
    const before = requests
    const resolve = async (host: string) => {
      const known = host === 'localhost' || host === '0' ? '127.0.0.1' : host
      return [{ address: known.includes('example.com') ? '93.184.216.34' : known, family: known.includes(':') ? 6 : 4 }]
    }
    await expect(fetchPicture({ resolve })(address)).rejects.toBeInstanceOf(PictureError)
    expect(requests).toBe(before)
  })

  it('connects to none of 2,000 spellings of private addresses', async () => {
    let connections = 0
    const count = () => connections++
    subscribe('net.client.socket', count)
    try {
      const addresses = [...privateSpellings()]
      expect(new Set(addresses).size).toBeGreaterThanOrEqual(2_000)
      for (const address of addresses) {
        // Names resolve to a private address here. Numbers in any spelling are read as Node reads them.
        const resolve = async (host: string) =>
          isIP(host) ? lookup(host, { all: true }) : [{ address: '127.0.0.1', family: 4 }]
        const refused = await fetchPicture({ resolve })(address).catch((error: unknown) => error)
        expect(refused, address).toBeInstanceOf(PictureError)
        expect(refused, address).toMatchObject({ passes: false })
      }
      expect(connections).toBe(0)
      await fetchPicture({ platformOrigins: [origin] })(`${origin}/1.png`)
      expect(connections).toBe(1)
    } finally {
      unsubscribe('net.client.socket', count)
    }
  })

  it('refuses a host with one private address, resolving it once', async () => {
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

  it('connects to the address that was checked', async () => {
    let times = 0
    const resolve = async () => [{ address: times++ === 0 ? '127.0.0.2' : '127.0.0.1', family: 4 }]
    // Nothing listens there. Resolving the name again would give another address.
    const attempt = fetchPicture({ resolve, isPublic: () => true })('https://rebind.invalid/1.png')
    const error = await attempt.catch((caught: unknown) => caught)
    expect(error).toMatchObject({ passes: true, cause: { code: 'ECONNREFUSED', address: '127.0.0.2' } })
    expect(times).toBe(1)
  })
})

/** Yields picture addresses in private networks, in spellings that have fooled other filters. */
function* privateSpellings(): Generator<string> {
  const privateAddresses = [
    ...['127.0.0.1', '127.1.2.3', '127.255.255.254', '0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.0.7', '100.64.0.1'],
    ...[
      '100.127.255.254',
      '169.254.169.254',
      '169.254.0.1',
      '172.16.0.1',
      '172.20.10.1',
      '172.31.255.254',
      '192.168.0.1',
    ],
    ...['192.168.255.254', '192.0.0.8', '192.0.2.1', '198.18.0.1', '198.19.255.1', '198.51.100.7', '203.0.113.9'],
    ...['224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255'],
  ]
  for (const address of privateAddresses) {
    const bytes = address.split('.').map(Number)
    const [a = 0, b = 0, c = 0, d = 0] = bytes
    const whole = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0
    const hex = (byte: number) => `0x${byte.toString(16)}`
    const octal = (byte: number) => `0${byte.toString(8)}`
    const [high, low] = [(whole >>> 16).toString(16), (whole & 0xffff).toString(16)]
    const hosts = [
      address,
      String(whole),
      hex(whole),
      octal(whole),
      bytes.map(hex).join('.'),
      bytes.map(octal).join('.'),
      `${hex(a)}.${octal(b)}.${c}.${d}`,
      `${a}.${b}.${c * 256 + d}`,
      `${a}.${(b << 16) | (c << 8) | d}`,
      `${address}.`,
      bytes.map((byte) => String.fromCodePoint(...[...String(byte)].map((digit) => 0xff10 + Number(digit)))).join('.'),
      address.replaceAll('.', '\u3002'),
      address.replaceAll('.', '%2e'),
      `[::ffff:${address}]`,
      `[::ffff:${high}:${low}]`,
      `[0:0:0:0:0:ffff:${high}:${low}]`,
      `[::${high}:${low}]`,
      `[64:ff9b::${high}:${low}]`,
      `[64:ff9b:1::${high}:${low}]`,
      `[2002:${high}:${low}::1]`,
      `[2001:0:${high}:${low}::1]`,
      `${address}.nip.example`,
      `${whole}.rebind.example`,
    ]
    for (const host of hosts) {
      yield `https://${host}/1.png`
      yield `https://${host}:443/a/../1.png?x=1#y`
      yield `https://www.example.com@${host}/1.png`
      yield `http://${host}/1.png`
    }
  }
  for (const host of [
    'localhost',
    'LOCALHOST.',
    '[::]',
    '[::1]',
    '[fe80::1]',
    '[fc00::1]',
    '[fd12:3456::1]',
    '[ff02::1]',
  ])
    for (const scheme of ['https', 'http', 'ftp', 'gopher', 'file']) yield `${scheme}://${host}/1.png`
}

describe('isPublicAddress', () => {
  it.each(['8.8.8.8', '93.184.216.34', '2606:4700::1111', '2a00:1450:4001::1'])('accepts %s', (address) =>
    expect(isPublicAddress(address)).toBe(true),
  )
  it.each([
    ...['0.0.0.0', '10.0.0.1', '100.64.0.1', '127.1.2.3', '169.254.169.254', '172.31.255.255', '192.168.0.1'],
    ...['192.0.0.8', '192.0.2.1', '198.18.0.1', '198.51.100.7', '203.0.113.9', '224.0.0.1', '255.255.255.255'],
    ...['::', '::1', '::ffff:8.8.8.8', 'fe80::1', 'fc00::1', 'ff02::1', '64:ff9b::808:808', '2001::1', '2001:db8::1'],
    ...['2002:808:808::', 'localhost', '', '8.8.8'],
  ])('rejects %s', (address) => expect(isPublicAddress(address)).toBe(false))
})
