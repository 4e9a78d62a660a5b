import { lookup } from 'node:dns/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { createFetchPicture } from '#server/integrations/fetch-picture.ts'
import { post } from '#server/webhooks/post-safely.ts'
import { resolveHost } from './resolve-host.ts'
import { type Nameserver, startNameserver } from './testing/nameserver.ts'

const servers: Nameserver[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** Starts a name server with these records; null never answers. */
async function startWith(records: { A?: string[]; AAAA?: string[] } | null): Promise<void> {
  servers.push(await startNameserver((type) => records && (records[type] ?? [])))
}
const never = new AbortController().signal

describe('the addresses of an untrusted host', () => {
  it('include both families, IPv4 first', async () => {
    await startWith({
      A: ['93.184.216.34', '10.0.0.1'],
      AAAA: ['2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
    })
    expect(await resolveHost('hooks.example.com', never)).toEqual([
      { address: '93.184.216.34', family: 4 },
      { address: '10.0.0.1', family: 4 },
      { address: '2606:2800:21f:cb07:6820:80da:af6b:8b2c', family: 6 },
    ])
  })

  it('may be of one family or an address; none is an error', async () => {
    await startWith({ A: ['93.184.216.34'] })
    const four = [{ address: '93.184.216.34', family: 4 }]
    expect(await resolveHost('hooks.example.com', never)).toEqual(four)
    expect(await resolveHost('93.184.216.34', never)).toEqual(four)
    await startWith({})
    await expect(resolveHost('hooks.example.com', never)).rejects.toMatchObject({ code: 'ENODATA' })
  })

  it('reveal a private address of the other family', async () => {
    await startWith({ A: ['93.184.216.34'], AAAA: ['fd00:0:0:0:0:0:0:1'] })
    const sent = post(...(['https://rebinding.example/', '{}', {}] as const), { sandbox: false }, never)
    await expect(sent).rejects.toThrow('The address may not be sent to.')
  })

  it('are awaited no longer than the attempt and block nobody', async () => {
    await startWith(null)
    const given = new AbortController()
    let ended = 0
    const ask = (host: string, timeoutMs: number, signal: AbortSignal) =>
      post(`https://${host}.example/`, '{}', {}, { sandbox: false, timeoutMs }, signal)
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
