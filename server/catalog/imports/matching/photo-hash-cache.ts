import { createHash } from 'node:crypto'
import type { Database, Queries } from '#server/infra/db/index.ts'
import type { PhotoHash } from './photo-hash.ts'
import * as sql from './queries.ts'
import type { ReadPhoto } from './read-photo.ts'

/** Pictures read in parallel. */
const together = 6

/** Photo hashes by picture address, of one user; null for pictures that cannot be read. */
export type PhotoHashes = ReadonlyMap<string, PhotoHash | null>

/** Returns the known hashes of these pictures. A picture that nobody has read yet is left out. */
export async function knownHashes(queries: Queries, user_id: number, urls: readonly string[]): Promise<PhotoHashes> {
  const rows = await knownRows(queries, user_id, urls)
  const known = new Map(rows.map((row) => [row.url_hash.toString('hex'), row.hash]))
  return new Map(
    urls.flatMap((url) => {
      const print = known.get(hashOf(url).toString('hex'))
      return print === undefined ? [] : [[url, print && decode(print)] as const]
    }),
  )
}

export interface ReadingOptions {
  signal?: AbortSignal
  budgetMs?: number
  /** Nobody waits for the pictures, so that slow ones of the account are read too, with few requests at once. */
  isPatient?: boolean
  /** Pictures that are not known yet count as unreadable. */
  givesUp?: boolean
}

/**
 * Reads unknown pictures and stores their hashes. Never call it in a transaction, because the hosts may be slow. It
 * stops when the budget is used up and leaves the rest unknown. Returns how many became known. Throws the signal's
 * reason.
 */
export async function readMissing(
  db: Database,
  user_id: number,
  urls: readonly string[],
  readPhoto: ReadPhoto,
  { signal, budgetMs = 20_000, isPatient = false, givesUp = false }: ReadingOptions = {},
): Promise<number> {
  if (budgetMs <= 0) return 0
  const rows = await knownRows(db, user_id, urls)
  const known = new Set(rows.map((row) => row.url_hash.toString('hex')))
  const missing = [...new Set(urls)].filter((url) => !known.has(hashOf(url).toString('hex')))
  if (missing.length === 0) return 0
  const ending = new AbortController()
  const end = () => ending.abort()
  const timer = setTimeout(end, budgetMs)
  signal?.addEventListener('abort', end, { once: true })
  const read: { url_hash: string; hash: string | null }[] = []
  const next = missing.values()
  const readInTurn = async () => {
    for (const url of next) {
      if (ending.signal.aborted) return
      const print = givesUp ? null : await readPhoto(url, ending.signal, user_id, isPatient)
      if (print !== undefined)
        read.push({ url_hash: hashOf(url).toString('hex'), hash: print && encode(print).toString('hex') })
    }
  }
  try {
    signal?.throwIfAborted()
    await Promise.all(Array.from({ length: together }, readInTurn)).catch((error: unknown) => {
      if (!ending.signal.aborted) throw error
    })
  } finally {
    end()
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
  }
  signal?.throwIfAborted()
  if (read.length > 0) await db.none(sql.storePhotoHashes({ user_id, rows: JSON.stringify(read) }))
  return read.length
}

async function knownRows(queries: Queries, user_id: number, urls: readonly string[]) {
  if (urls.length === 0) return []
  return queries.any(sql.readPhotoHashes({ user_id, hashes: urls.map(hashOf) }))
}

const hashOf = (url: string) => createHash('sha256').update(url).digest()

function encode({ whole, cuts }: PhotoHash): Buffer {
  const bytes = Buffer.alloc(8 * (1 + cuts.length))
  for (const [index, hash] of [whole, ...cuts].entries()) bytes.writeBigUInt64BE(hash, index * 8)
  return bytes
}

function decode(bytes: Buffer): PhotoHash {
  const hashes = Array.from({ length: bytes.length / 8 }, (_, index) => bytes.readBigUInt64BE(index * 8))
  return { whole: hashes[0] ?? 0n, cuts: hashes.slice(1) }
}
