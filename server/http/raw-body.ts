import type Koa from 'koa'
import { problem } from './errors.ts'

/** A body that is too large is read to its end, so that its refusal arrives, unless it is larger than this by far. */
const drainedBytes = 20_000_000

/**
 * The body exactly as it was sent, for those who sign its bytes (webhooks). Throws `payload_too_large` beyond `maxBytes`
 * and `invalid_request` for a body that breaks off.
 */
export async function readRawBody(ctx: Pick<Koa.Context, 'req'>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of ctx.req as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes <= maxBytes) chunks.push(chunk)
      else if (bytes > drainedBytes) break
    }
  } catch (cause) {
    throw problem('invalid_request', 'The body broke off.', { cause })
  }
  if (bytes > maxBytes) throw problem('payload_too_large')
  return Buffer.concat(chunks)
}
