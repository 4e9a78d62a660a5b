import { createSocket } from 'node:dgram'
import dns from 'node:dns/promises'
import type { AddressInfo } from 'node:net'

export interface Nameserver {
  /** Returns how often records of a type were asked for. */
  asked(type: 'A' | 'AAAA'): number
  close(): void
}

const systemServers = dns.getServers()

/**
 * Starts a name server by RFC 1035, which this process asks until it is closed. It answers with the addresses that
 * `records` gives; with null it is silent.
 */
export async function startNameserver(records: (type: 'A' | 'AAAA') => readonly string[] | null): Promise<Nameserver> {
  const socket = createSocket('udp4')
  const counts = { A: 0, AAAA: 0 }
  socket.on('message', (query, from) => {
    const nameEnd = query.indexOf(0, 12)
    const type = query.readUInt16BE(nameEnd + 1) === 1 ? 'A' : 'AAAA'
    counts[type]++
    const data = records(type)
    if (!data) return
    const header = Buffer.from(query.subarray(0, 12))
    header.writeUInt16BE(0x8180, 2)
    header.writeUInt16BE(data.length, 6)
    header.writeUInt32BE(0, 8)
    const answers = data.map((address) => {
      const bytes = bytesOf(address)
      const code = type === 'A' ? 1 : 28
      return Buffer.concat([Buffer.from([0xc0, 0x0c, 0, code, 0, 1, 0, 0, 0, 60, 0, bytes.length]), bytes])
    })
    socket.send(Buffer.concat([header, query.subarray(12, nameEnd + 5), ...answers]), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  const { port } = socket.address() as AddressInfo
  dns.setServers([`127.0.0.1:${port}`])
  const close = () => {
    dns.setServers(systemServers)
    socket.close()
  }
  return { asked: (type) => counts[type], close }
}

/** Returns the bytes of an address; IPv6 with all of its parts. */
const bytesOf = (address: string): Buffer =>
  address.includes('.')
    ? Buffer.from(address.split('.').map(Number))
    : Buffer.from(
        address
          .split(':')
          .map((part) => part.padStart(4, '0'))
          .join(''),
        'hex',
      )
