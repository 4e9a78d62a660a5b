import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createUnzip } from 'node:zlib'
import type Koa from 'koa'
import { problem } from '#server/infra/errors.ts'
import type { BodyState } from './body-budget.ts'

/** Returns the body as text, without a byte order mark. */
export async function readText(ctx: Koa.Context, maxBytes: number): Promise<{ text: string; bytes: number }> {
  const body = await readBody(ctx, maxBytes)
  return { text: new TextDecoder().decode(body), bytes: body.length }
}

/** A refused body is read to its end, so that the refusal arrives, unless it is much larger than this. */
const drainedBytes = 20_000_000

/**
 * Reads and decompresses the body within the memory budget. Throws `payload_too_large` above `maxBytes`, `unavailable`
 * without budget, `unsupported_media_type` for an unknown encoding and `invalid_request` for a truncated or corrupt
 * body.
 */
export async function readBody(ctx: Koa.Context, maxBytes: number): Promise<Buffer> {
  const { req } = ctx
  const state = ctx.state as BodyState & { principal?: { user_id: number } | null; address: string }
  const held = state.bodyBudget?.open(state.principal ? `user ${state.principal.user_id}` : `address ${state.address}`)
  state.heldBody = held
  const decoder = decoderOf(req)
  // The length of a plain body is declared; decompressed data is counted as it comes.
  const declared = decoder ? 0 : Number(req.headers['content-length'] ?? 0)
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    if (declared > maxBytes) throw problem('payload_too_large')
    held?.grow(declared)
    for await (const chunk of (decoder ? unpack(req, decoder) : req).iterator({ destroyOnReturn: false })) {
      bytes += (chunk as Buffer).length
      if (bytes > maxBytes) throw problem('payload_too_large')
      held?.grow(bytes)
      chunks.push(chunk as Buffer)
    }
  } catch (error) {
    if (decoder) {
      req.unpipe(decoder)
      decoder.destroy()
    }
    drain(req)
    throw translateFault(error)
  }
  return Buffer.concat(chunks, bytes)
}

/** Returns null for a body that is not compressed. */
function decoderOf(req: IncomingMessage): (Readable & NodeJS.WritableStream) | null {
  switch ((req.headers['content-encoding'] ?? '').trim().toLowerCase()) {
    case '':
    case 'identity':
      return null
    case 'gzip':
    case 'deflate':
      return createUnzip()
    case 'br':
      return createBrotliDecompress()
    default:
      throw problem('unsupported_media_type', 'Send the body plain, or compressed with gzip, deflate or br.')
  }
}

function unpack<Decoder extends Readable & NodeJS.WritableStream>(req: IncomingMessage, decoder: Decoder): Decoder {
  req.on('error', (error) => decoder.destroy(error))
  return req.pipe(decoder)
}

/** Reads on and discards. */
function drain(req: IncomingMessage): void {
  let drained = 0
  req.on('data', (chunk: Buffer) => {
    drained += chunk.length
    if (drained > drainedBytes) req.destroy()
  })
  req.on('error', () => {})
  req.resume()
}

function translateFault(error: unknown): unknown {
  const code = String((error as NodeJS.ErrnoException).code ?? '')
  // Errors of zlib and Brotli.
  if (/^(Z_|ERR__ERROR_)/.test(code)) {
    return problem('invalid_request', 'The body is not compressed as its Content-Encoding says.', { cause: error })
  }
  if (code === 'ECONNRESET') return problem('invalid_request', 'The body broke off.', { cause: error })
  return error
}
