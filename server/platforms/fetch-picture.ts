import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { isPublicAddress } from './public-address.ts'
import { createResolveHost, type ResolveHost, resolveUntil } from './resolve-host.ts'

export interface Picture {
  bytes: Buffer
  /** By its first bytes, whatever the server says. */
  type: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp'
}

/** A picture that cannot be had, and whether it may be had later. */
export class PictureError extends Error {
  override name = 'PictureError'
  readonly passes: boolean

  constructor(message: string, passes: boolean, cause?: unknown) {
    super(message, { cause })
    this.passes = passes
  }
}

export type FetchPicture = (address: string, signal?: AbortSignal) => Promise<Picture>

export interface PictureOptions {
  /** Origins of the configured platforms: theirs are fetched wherever they stand (decisions 10). */
  platformOrigins: readonly string[]
  timeoutMs?: number
  maxBytes?: number
  /** All addresses of a host; those that the nameservers tell unless told. */
  resolve?: ResolveHost
  /** Which addresses may be connected to; those of the public internet unless told. */
  isPublic?: (address: string) => boolean
}

/**
 * Fetches pictures whose addresses come from strangers (decisions 10, threats T84): https from public addresses only, or
 * the configured platforms' own hosts. A host is resolved once, every address of it must be public, and the connection
 * goes to the address that was checked. Redirects are not followed. Bounded in time and size.
 */
export function createFetchPicture(options: PictureOptions): FetchPicture {
  const { platformOrigins, timeoutMs = 10_000, maxBytes = 10_000_000, isPublic = isPublicAddress } = options
  const resolve = options.resolve ?? createResolveHost()
  return async (address, signal) => {
    const url = addressOf(address)
    const isOurs = platformOrigins.includes(url.origin)
    if (
      !isOurs &&
      (url.protocol !== 'https:' || url.username || url.password || (url.port !== '' && url.port !== '443'))
    ) {
      throw new PictureError('The address of a picture is not one that may be fetched.', false)
    }
    const timeout = AbortSignal.timeout(timeoutMs)
    const until = signal ? AbortSignal.any([signal, timeout]) : timeout
    try {
      const pinned = isOurs ? undefined : await pin(url.hostname, resolve, isPublic, until)
      const bytes = await read(await get(url, pinned, until), maxBytes)
      const type = typeOf(bytes)
      if (!type) throw new PictureError('What stands at the address of a picture is none.', false)
      return { bytes, type }
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof PictureError) throw error
      throw new PictureError('A picture could not be fetched.', true, error)
    }
  }
}

function addressOf(text: string): URL {
  try {
    return new URL(text)
  } catch (cause) {
    throw new PictureError('The address of a picture is not one that may be fetched.', false, cause)
  }
}

/** The checked address of a host, for the connection. A host with one address that is not public is refused whole. */
async function pin(
  hostname: string,
  resolve: ResolveHost,
  isPublic: (address: string) => boolean,
  until: AbortSignal,
): Promise<{ address: string; family: number }> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const addresses = await resolveUntil(resolve, host, until)
  const [first] = addresses
  if (!first || !addresses.every(({ address }) => isPublic(address))) {
    throw new PictureError('The address of a picture is not one that may be fetched.', false)
  }
  return first
}

function get(
  url: URL,
  pinned: { address: string; family: number } | undefined,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const lookupPinned: LookupFunction = (_host, wanted, done) => {
    if (!pinned) return
    if (wanted.all) done(null, [pinned])
    else done(null, pinned.address, pinned.family)
  }
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    request(
      url,
      {
        signal,
        agent: false,
        headers: { accept: 'image/*', 'user-agent': 'Hapax' },
        ...(pinned ? { lookup: lookupPinned } : {}),
      },
      resolve,
    )
      .on('error', reject)
      .end()
  })
}

async function read(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const status = response.statusCode ?? 0
  if (status !== 200) {
    response.destroy()
    throw new PictureError(`The picture's host answered HTTP ${status}.`, status === 429 || status >= 500)
  }
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) {
      response.destroy()
      throw new PictureError(`A picture is larger than ${maxBytes} bytes.`, false)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function typeOf(bytes: Buffer): Picture['type'] | null {
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'image/jpeg'
  if (bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))) return 'image/png'
  if (/^GIF8[79]a/.test(bytes.subarray(0, 6).toString('latin1'))) return 'image/gif'
  const isWebp =
    bytes.subarray(0, 4).toString('latin1') === 'RIFF' && bytes.subarray(8, 12).toString('latin1') === 'WEBP'
  return isWebp ? 'image/webp' : null
}
