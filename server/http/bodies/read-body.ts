import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createBrotliDecompress, createUnzip } from 'node:zlib'
import type Koa from 'koa'
import { type KoaBodyMiddlewareOptions, koaBody } from 'koa-body'
import { problem } from '#server/infra/errors.ts'
import { type WayInName, waysIn } from '#server/infra/ways-in/ways-in.ts'
import type { BodyState } from './body-budget.ts'

interface Sender {
  principal?: { user_id: number } | null
  address: string
}

/** Returns the account that sends a request, or its network where there is none. */
export const senderOf = ({ principal, address }: Sender): string =>
  principal ? `user ${principal.user_id}` : `address ${address}`

/** Returns the bytes of the body, for signatures and files. Throws as `openBody` does. */
export async function readBody(ctx: Koa.Context, way: WayInName): Promise<Buffer> {
  return buffer(openBody(ctx, way))
}

/**
 * Returns koa-body for the one kind of body that `options` turn on. Its context is made for it: the caller has checked
 * the method and type, and the body comes from `openBody`.
 */
export function bodyParser(
  options: Partial<KoaBodyMiddlewareOptions>,
): (body: Readable) => Promise<Pick<Koa.Request, 'body' | 'rawBody'>> {
  const parse = koaBody({ json: false, urlencoded: false, text: false, ...options })
  return async (body) => {
    const request = {}
    const context = { req: Object.assign(body, { headers: {} }), request, method: 'POST', is: () => true }
    await parse(context as unknown as Koa.Context, async () => {})
    return request
  }
}

/** A refused body is read to its end, so that the refusal arrives, unless it is much larger than this. */
const drainedBytes = 20_000_000

/**
 * Returns the decompressed body. It counts in the memory budget as it arrives, and fails with `payload_too_large` above
 * the bytes of its way in, `unavailable` without budget, and `invalid_request` if it is truncated or corrupt. Throws
 * `unsupported_media_type` for an unknown encoding.
 */
export function openBody({ req, state: given }: Koa.Context, way: WayInName): Readable {
  const { bytes: most } = waysIn[way]
  const state = given as BodyState & Sender
  const held = state.bodyBudget?.open(senderOf(state))
  state.heldBody = held
  const decoder = decoderOf(req)
  // The length of a plain body is declared; decompressed data is counted as it comes.
  const declared = decoder ? 0 : Number(req.headers['content-length'] ?? 0)
  async function* arriving() {
    let bytes = 0
    try {
      if (declared > most) throw problem('payload_too_large')
      held?.grow(declared)
      for await (const chunk of (decoder ? unpack(req, decoder) : req).iterator({ destroyOnReturn: false })) {
        bytes += (chunk as Buffer).length
        if (bytes > most) throw problem('payload_too_large')
        held?.grow(bytes)
        yield chunk as Buffer
      }
    } catch (error) {
      if (decoder) {
        req.unpipe(decoder)
        decoder.destroy()
      }
      drain(req)
      throw translateFault(error)
    }
  }
  return Readable.from(arriving(), { objectMode: false })
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

/** co-body would do this, too. It waits forever for the rest of a compressed body whose client has left. */
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
