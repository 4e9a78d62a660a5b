import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { AwsClient } from 'aws4fetch'
import { type ImageFile, type ImageStore, imageFiles } from './image-store.ts'

/** Milliseconds that one request to the bucket may take. */
const timeoutMs = 20_000

/**
 * Stores images in a bucket of Amazon S3 or a compatible service, as `img_…/800`. The address names the bucket, as
 * `https://bucket.s3.eu-central-1.amazonaws.com` or `https://s3.example.com/bucket`. Requests are signed with AWS
 * Signature Version 4 and retried by the client when the service fails.
 */
export function createS3Store(options: {
  bucketUrl: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}): ImageStore {
  const { bucketUrl, region, accessKeyId, secretAccessKey } = options
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 2 })
  const request = async (method: string, uid: string, file: ImageFile, init: RequestInit = {}) => {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await client.fetch(`${bucketUrl}/${uid}/${file}`, { signal, ...init, method, redirect: 'error' })
    if (response.ok || response.status === 404) return response
    const answer = (await response.text()).slice(0, 500)
    throw new Error(`The image bucket answered HTTP ${response.status} to ${method}.`, { cause: answer })
  }
  return {
    async put(uid, file, bytes, type) {
      const headers = { 'content-type': type, 'content-length': String(bytes.length) }
      const response = await request('PUT', uid, file, { body: new Uint8Array(bytes), headers })
      await response.arrayBuffer()
      if (!response.ok) throw new Error('The image bucket does not exist.')
    },
    async get(uid, file) {
      const response = await request('GET', uid, file)
      const bytes = Buffer.from(await response.arrayBuffer())
      return response.ok ? bytes : null
    },
    async open(uid, file) {
      // The time is for the answer's head. A body is read as fast as its reader takes it.
      const late = new AbortController()
      const timer = setTimeout(() => late.abort(new Error('The image bucket does not answer.')), timeoutMs)
      const response = await request('GET', uid, file, { signal: late.signal }).finally(() => clearTimeout(timer))
      const bytes = Number(response.headers.get('content-length')) || null
      if (response.ok && response.body) return { stream: Readable.fromWeb(response.body as ReadableStream), bytes }
      await response.body?.cancel()
      return null
    },
    async remove(uid) {
      for (const file of imageFiles) await (await request('DELETE', uid, file)).arrayBuffer()
    },
  }
}
