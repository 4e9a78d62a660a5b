import { type PictureType, pictureTypeOf } from '#server/http/outbound/picture-type.ts'
import type { ResolveHost } from '#server/http/outbound/resolve-host.ts'
import { SafeRequestError, safeRequest } from '#server/http/outbound/safe-request.ts'
import { waysIn } from '#server/infra/ways-in/ways-in.ts'

export interface Picture {
  bytes: Buffer
  /** Detected from the first bytes, whatever the server says. */
  type: PictureType
}

/** A picture that cannot be fetched, and whether a retry may succeed. */
export class PictureError extends Error {
  override name = 'PictureError'
  readonly passes: boolean
  /** Of the host's answer, if it was not 200. */
  readonly status: number | undefined

  constructor(message: string, passes: boolean, { cause, status }: { cause?: unknown; status?: number } = {}) {
    super(message, { cause })
    this.passes = passes
    this.status = status
  }
}

export type FetchPicture = (address: string, signal?: AbortSignal) => Promise<Picture>

export interface PictureOptions {
  /** Origins of the configured platforms, which are allowed even on private addresses. */
  platformOrigins: readonly string[]
  timeoutMs?: number
  maxBytes?: number
  /** Resolves all addresses of a host; DNS by default. */
  resolve?: ResolveHost
  /** Whether an address may be connected to; public addresses by default. */
  isPublic?: (address: string) => boolean
}

/**
 * Fetches pictures from addresses that strangers chose: only https on port 443 at public addresses, or the configured
 * platforms' own hosts. Bounded in time and size. Throws PictureError, or the signal's reason.
 */
export function createFetchPicture(options: PictureOptions): FetchPicture {
  const { platformOrigins, timeoutMs, maxBytes = waysIn.fetchedPicture.bytes, resolve, isPublic } = options
  return async (address, signal) => {
    const url = addressOf(address)
    const isTrusted = platformOrigins.includes(url.origin)
    if (!isTrusted && url.port !== '') throw notAllowed()
    const headers = { accept: 'image/*', 'user-agent': 'Hapax' }
    const request = {
      headers,
      way: 'fetchedPicture' as const,
      ...(timeoutMs !== undefined && { timeoutMs }),
      maxBytes,
      isTrusted,
      ...(resolve && { resolve }),
      ...(isPublic && { isPublic }),
    }
    const { status, body } = await safeRequest(url, request, signal).catch((error: unknown) => {
      if (error instanceof SafeRequestError) throw pictureErrorOf(error, maxBytes)
      throw error
    })
    if (status !== 200) {
      throw new PictureError(wordsOfStatus(status), status === 429 || status >= 500, { status })
    }
    const type = pictureTypeOf(body)
    if (!type) throw new PictureError('The address of a picture does not lead to a picture.', false)
    return { bytes: body, type }
  }
}

function wordsOfStatus(status: number): string {
  if (status === 404 || status === 410) return 'There is no picture at its address any more.'
  if (status === 401 || status === 403) return 'The host of the picture does not let Hapax read it.'
  if (status === 429 || status >= 500) return 'The host of the picture does not answer now.'
  return 'The host of the picture did not send it.'
}

const notAllowed = (cause?: unknown) => new PictureError('The address of a picture is not allowed.', false, { cause })

function pictureErrorOf(error: SafeRequestError, maxBytes: number): PictureError {
  if (error.fault === 'not_allowed') return notAllowed(error)
  if (error.fault === 'too_large')
    return new PictureError(`A picture is larger than ${maxBytes} bytes.`, false, { cause: error })
  return new PictureError('A picture could not be fetched.', true, { cause: error.cause ?? error })
}

function addressOf(text: string): URL {
  try {
    return new URL(text)
  } catch (cause) {
    throw notAllowed(cause)
  }
}
