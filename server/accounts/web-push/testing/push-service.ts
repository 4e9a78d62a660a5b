import { createDecipheriv, createECDH, createHmac, type ECDH, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { importJWK, jwtVerify } from 'jose'

/** A browser's side of a subscription. */
export interface Browser {
  ecdh: ECDH
  auth: Buffer
}

interface Received {
  path: string
  ttl: number
  urgency: string
  topic: string
  notice: Record<string, string>
}

export interface PushService {
  url: string
  received: Received[]
  /** Why requests were refused. */
  refusals: string[]
  /** Statuses of the next answers, with a `Retry-After` if given. 201 afterwards. */
  answers: { status: number; retryAfter?: string }[]
  /** The key that the subscriptions were made with. Requests signed by another one are refused. */
  applicationServerKey: string
  /** Makes a subscription as a browser does. */
  subscribe(): { endpoint: string; keys: { p256dh: string; auth: string } }
  close(): Promise<void>
}

/** Starts a strict push service, written from RFC 8030, 8188, 8291 and 8292. Receives for browsers too. */
export async function startPushService(): Promise<PushService> {
  const browsers = new Map<string, Browser>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const { status, retryAfter } = service.answers.shift() ?? { status: 201 }
      try {
        const received = await read(request, Buffer.concat(chunks))
        if (status === 201) service.received.push(received)
        response
          .writeHead(status, {
            location: `${service.url}/message/1`,
            ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
          })
          .end()
      } catch (error) {
        service.refusals.push(String((error as Error).message))
        response.writeHead(400).end()
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  async function read(request: IncomingMessage, body: Buffer): Promise<Received> {
    const { headers, method, url = '' } = request
    const browser = browsers.get(url)
    const refuse = (why: string): never => {
      throw new Error(why)
    }
    if (method !== 'POST') refuse('the method is not POST')
    if (!browser) return refuse('the subscription is unknown')
    const [, token, key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(headers.authorization ?? '') ?? refuse('no VAPID')
    if (key !== service.applicationServerKey) refuse('the key is not that of the subscription')
    await verifyVapid(token!, key!, service.url)
    if (headers['content-encoding'] !== 'aes128gcm') refuse('the encoding is not aes128gcm')
    if (!/^\d+$/.test(String(headers.ttl))) refuse('TTL is missing')
    if (!/^(very-low|low|normal|high)$/.test(String(headers.urgency))) refuse('Urgency is unknown')
    if (!/^[\w-]{1,32}$/.test(String(headers.topic))) refuse('Topic is no base64url of at most 32 characters')
    if (body.length > 4_096) refuse('the body is too long')
    return {
      ...{ path: url, ttl: Number(headers.ttl), urgency: String(headers.urgency), topic: String(headers.topic) },
      notice: JSON.parse(decryptPush(body, browser).toString('utf8')),
    }
  }

  const service: PushService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: [],
    refusals: [],
    answers: [],
    applicationServerKey: '',
    subscribe() {
      const ecdh = createECDH('prime256v1')
      const p256dh = ecdh.generateKeys('base64url')
      const auth = randomBytes(16)
      const path = `/send/${randomBytes(12).toString('hex')}`
      browsers.set(path, { ecdh, auth })
      return { endpoint: `${service.url}${path}`, keys: { p256dh, auth: auth.toString('base64url') } }
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  return service
}

/** Verifies the token of RFC 8292: signed with the key, for this service, for at most a day, with a contact. */
async function verifyVapid(token: string, key: string, origin: string): Promise<void> {
  const point = Buffer.from(key, 'base64url')
  if (point.length !== 65 || point[0] !== 4) throw new Error('the key is no uncompressed point')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  const jwk = await importJWK({ kty: 'EC', crv: 'P-256', x: x!, y: y! }, 'ES256')
  const { payload } = await jwtVerify(token, jwk, { algorithms: ['ES256'], audience: origin })
  const left = Number(payload.exp) - Date.now() / 1_000
  if (!(left > 0 && left <= 86_400)) throw new Error('the token lives longer than a day')
  if (!/^(https:|mailto:)/.test(payload.sub ?? '')) throw new Error('the token names no contact')
}

const hmac = (key: Buffer, ...data: (Buffer | string)[]) => {
  const mac = createHmac('sha256', key)
  for (const part of data) mac.update(part)
  return mac.digest()
}

/** Decrypts one record of aes128gcm (RFC 8188) with the keys of RFC 8291. */
export function decryptPush(body: Buffer, { ecdh, auth }: Browser): Buffer {
  const [salt, recordSize, keyLength] = [body.subarray(0, 16), body.readUInt32BE(16), body[20]!]
  const sender = body.subarray(21, 21 + keyLength)
  const record = body.subarray(21 + keyLength)
  if (keyLength !== 65 || record.length > recordSize) throw new Error('the header is wrong')
  const one = Buffer.of(1)
  const shared = hmac(auth, ecdh.computeSecret(sender))
  const input = hmac(shared, 'WebPush: info\0', ecdh.getPublicKey(), sender, one)
  const pseudoRandom = hmac(salt, input)
  const key = hmac(pseudoRandom, 'Content-Encoding: aes128gcm\0', one).subarray(0, 16)
  const nonce = hmac(pseudoRandom, 'Content-Encoding: nonce\0', one).subarray(0, 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  const end = padded.findLastIndex((byte) => byte !== 0)
  if (padded[end] !== 2) throw new Error('the last record does not end')
  return padded.subarray(0, end)
}
