import { createSocket } from 'node:dgram'
import type { AddressInfo } from 'node:net'

export interface NameServer {
  /** `127.0.0.1:port` */
  address: string
  /** Texts by name. Other names do not exist. */
  texts: Map<string, string>
  /** Number of questions so far. */
  asked(): number
  /** Answers nothing while it is silent. */
  setSilent(silent: boolean): void
  close(): Promise<void>
}

/** Starts a name server on 127.0.0.1 that answers questions for texts (RFC 1035), such as the keys of DKIM. */
export async function startNameServer({ port = 0 }: { port?: number } = {}): Promise<NameServer> {
  const texts = new Map<string, string>()
  const socket = createSocket('udp4')
  let [isSilent, isClosed, asked] = [false, false, 0]
  socket.on('message', (question, from) => {
    asked++
    if (isSilent) return
    const { name, end } = readName(question)
    const isText = question.readUInt16BE(end) === 16
    const text = isText ? texts.get(name) : undefined
    const head = Buffer.from(question.subarray(0, 12))
    // An answer, with recursion; code 3 for a name that does not exist.
    head.writeUInt16BE(texts.has(name) ? 0x8180 : 0x8183, 2)
    head.writeUInt16BE(text === undefined ? 0 : 1, 6)
    head.writeUInt16BE(0, 8)
    head.writeUInt16BE(0, 10)
    const answer = Buffer.concat([head, question.subarray(12, end + 4), ...(text === undefined ? [] : [record(text)])])
    socket.send(answer, from.port, from.address)
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.bind(port, '127.0.0.1', resolve)
  })
  return {
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    texts,
    asked: () => asked,
    setSilent: (silent) => {
      isSilent = silent
    },
    async close() {
      if (isClosed) return
      isClosed = true
      await new Promise<void>((resolve) => socket.close(() => resolve()))
    },
  }
}

/** Returns the name of a question in lower case, and the place behind it. */
function readName(question: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}

/** Returns a record of a text for the name of the question. */
function record(text: string): Buffer {
  const bytes = Buffer.from(text)
  const strings: Buffer[] = []
  for (let at = 0; at < bytes.length; at += 255) {
    const part = bytes.subarray(at, at + 255)
    strings.push(Buffer.of(part.length), part)
  }
  const data = Buffer.concat(strings)
  const head = Buffer.from([0xc0, 0x0c, 0, 16, 0, 1, 0, 0, 0, 60, 0, 0])
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}
