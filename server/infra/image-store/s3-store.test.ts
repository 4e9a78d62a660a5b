import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newId } from '#shared/identity.ts'
import { createS3Store } from './s3-store.ts'

/** A bucket that checks signatures by the rules of "Authenticating Requests (AWS Signature Version 4)". */
const objects = new Map<string, { bytes: Buffer; type: string }>()
const [region, keyId, secret] = ['eu-central-1', 'AKIDEXAMPLE', 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY']
let bucket: Server
let bucketUrl: string
let refusals: string[] = []

beforeAll(async () => {
  bucket = createServer(async (message, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of message) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const fault = faultOf(message, body)
    if (fault) refusals.push(fault)
    if (fault) return response.writeHead(403).end(`<Error><Code>${fault}</Code></Error>`)
    const path = message.url!
    const found = objects.get(path)
    if (message.method === 'PUT') {
      objects.set(path, { bytes: body, type: message.headers['content-type'] ?? '' })
      response.writeHead(200).end()
    } else if (message.method === 'DELETE') {
      objects.delete(path)
      response.writeHead(204).end()
    } else if (found) response.writeHead(200, { 'content-type': found.type }).end(found.bytes)
    else response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>')
  })
  await new Promise<void>((resolve) => bucket.listen(0, '127.0.0.1', resolve))
  bucketUrl = `http://127.0.0.1:${(bucket.address() as AddressInfo).port}/photos`
})
afterAll(() => void bucket?.close())

const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** Returns why a request is refused, null for a valid signature. */
function faultOf({ method, url, headers }: IncomingMessage, body: Buffer): string | null {
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/
  const [, id, day, place, signed, signature] = form.exec(headers.authorization ?? '') ?? []
  if (id !== keyId || place !== region || !day || !signed) return 'AuthorizationHeaderMalformed'
  const at = String(headers['x-amz-date'])
  if (!/^\d{8}T\d{6}Z$/.test(at) || !at.startsWith(day)) return 'RequestTimeTooSkewed'
  const names = signed.split(';')
  const needed = ['host', ...Object.keys(headers).filter((name) => name.startsWith('x-amz-'))]
  if (needed.some((name) => !names.includes(name))) return 'HeadersNotSigned'
  const hash = String(headers['x-amz-content-sha256'])
  if (hash !== 'UNSIGNED-PAYLOAD' && hash !== sha256(body)) return 'XAmzContentSHA256Mismatch'
  const lines = names.map((name) => `${name}:${String(headers[name]).trim().replace(/ +/g, ' ')}\n`).join('')
  const canonical = [method, url, '', lines, signed, hash].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', at, scope, sha256(canonical)].join('\n')
  const key = hmac(hmac(hmac(hmac(`AWS4${secret}`, day), region), 's3'), 'aws4_request')
  return hmac(key, toSign).toString('hex') === signature ? null : 'SignatureDoesNotMatch'
}

const open = (secretAccessKey = secret) => createS3Store({ bucketUrl, region, accessKeyId: keyId, secretAccessKey })

it('writes, reads and removes files with valid signatures', async () => {
  const [store, uid] = [open(), newId('img')]
  const bytes = Buffer.from([0, 255, 13, 10, 128])
  await store.put(uid, 'original', bytes, 'image/png')
  await store.put(uid, '800', Buffer.from('small'), 'image/jpeg')
  expect(objects.get(`/photos/${uid}/original`)).toEqual({ bytes, type: 'image/png' })
  expect((await store.get(uid, 'original'))!.equals(bytes)).toBe(true)
  expect(await store.get(uid, '200')).toBe(null)
  await store.remove(uid)
  expect([objects.size, await store.get(uid, 'original')]).toEqual([0, null])
  expect(refusals).toEqual([])
})

it('reports a bucket that refuses the key', async () => {
  refusals = []
  await expect(open('another').put(newId('img'), '800', Buffer.from('x'), 'image/jpeg')).rejects.toThrow('HTTP 403')
  expect(refusals).toEqual(['SignatureDoesNotMatch'])
})
