import { createSocket, type Socket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createFetchPicture } from '#server/integrations/fetch-picture.ts'
import { post } from '#server/webhooks/post-safely.ts'
import { createResolveHost } from './resolve-host.ts'

const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close()
})

/** Starts a nameserver with these records; null never answers. */
async function startNameserver(records: { A?: string[]; AAAA?: string[] } | null): Promise<string> {
  const socket = createSocket('udp4')
  sockets.push(socket)
  socket.on('message', (query, from) => {
    if (!records) return
    const nameEnd = query.indexOf(0, 12)
    const type = query.readUInt16BE(nameEnd + 1)
    const data = (type === 1 ? records.A : type === 28 ? records.AAAA : undefined) ?? []
    const header = Buffer.from(query.subarray(0, 12))
    header.writeUInt16BE(0x8180, 2)
    header.writeUInt16BE(data.length, 6)
    header.writeUInt16BE(0, 8)
    header.writeUInt16BE(0, 10)
    const answers = data.map((address) => {
      const bytes =
        type === 1
          ? Buffer.from(address.split('.').map(Number))
          : Buffer.from(
              address
                .split(':')
                .map((part) => part.padStart(4, '0'))
                .join(''),
              'hex',
            )
      const head = Buffer.from([0xc0, 0x0c, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length])
      return Buffer.concat([head, bytes])
    })
    socket.send(Buffer.concat([header, query.subarray(12, nameEnd + 5), ...answers]), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return `127.0.0.1:${(socket.address() as AddressInfo).port}`
}
const never = new AbortController().signal

describe('the addresses of an untrusted host', () => {
  it('include both families, IPv4 first', async () => {
    const server = await startNameserver({
      A: ['93.184.216.34', '10.0.0.1'],
      AAAA: ['2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
    })
    expect(await createResolveHost([server])('hooks.example.com', never)).toEqual([
      { address: '93.184.216.34', family: 4 },
      { address: '10.0.0.1', family: 4 },
      { address: '2606:2800:21f:cb07:6820:80da:af6b:8b2c', family: 6 },
    ])
  })

  it('may be of one family or an address; none is an error', async () => {
    const server = await startNameserver({ A: ['93.184.216.34'] })
    const four = [{ address: '93.184.216.34', family: 4 }]
    expect(await createResolveHost([server])('hooks.example.com', never)).toEqual(four)
    expect(await createResolveHost([server])('93.184.216.34', never)).toEqual(four)
    const empty = await startNameserver({})
    await expect(createResolveHost([empty])('hooks.example.com', never)).rejects.toMatchObject({ code: 'ENODATA' })
  })

  it('reveal a private address of the other family', async () => {
    const server = await startNameserver({ A: ['93.184.216.34'], AAAA: ['fd00:0:0:0:0:0:0:1'] })
    const sent = post(
      ...(['https://rebinding.example/', '{}', {}] as const),
      { sandbox: false, resolve: createResolveHost([server]) },
      never,
    )
    await expect(sent).rejects.toThrow('The address may not be sent to.')
  })

  it('are awaited no longer than the attempt and block nobody', async () => {
    const resolve = createResolveHost([await startNameserver(null)])
    const given = new AbortController()
    let ended = 0
    const ask = (host: string, timeoutMs: number, signal: AbortSignal) =>
      post(`https://${host}.example/`, '{}', {}, { sandbox: false, timeoutMs, resolve }, signal)
    const attempts = Array.from({ length: 16 }, (_, index) =>
      ask(`silent-${index}`, 600_000, given.signal).catch(() => ended++),
    )
    await lookup('localhost')
    expect(ended).toBe(0)
    await expect(ask('silent', 50, never)).rejects.toThrow('No answer in time.')
    expect(ended).toBe(0)
    given.abort()
    await Promise.all(attempts)
    expect(ended).toBe(16)
  })

  it('are abandoned with the attempt', async () => {
    const resolve = () => new Promise<never>(() => {})
    const sent = post('https://silent.example/', '{}', {}, { sandbox: false, timeoutMs: 50, resolve }, never)
    await expect(sent).rejects.toThrow('No answer in time.')
    const picture = createFetchPicture({ platformOrigins: [], timeoutMs: 50, resolve })
    await expect(picture('https://silent.example/1.png')).rejects.toMatchObject({ name: 'PictureError', passes: true })
  })
})
