import { createOwnThread } from '#server/infra/own-thread.ts'
import { waysIn } from '#server/infra/ways-in/ways-in.ts'
import { parseXml, type XmlElement } from './xml.ts'

/** Shorter documents take a few ms. A page of 200 listings has 1.3 million characters and takes 200 ms. */
const smallChars = 20_000

const parse = createOwnThread<string, XmlElement>({
  worker: new URL('./parse-worker.ts', import.meta.url),
  ...{ timeoutMs: waysIn.ebay.giveUpMs, threads: 1, maxWaiting: waysIn.ebay.atOnce.all - 1, heapMb: 256 },
  ...{ isLowPriority: false, idleMs: 60_000 },
})

/** Parses a document, a large one on a thread of its own. Returns the error of one that is none. */
export async function parseApart(text: string, signal?: AbortSignal): Promise<XmlElement | Error> {
  if (isShort(text)) return parseHere(text)
  return parse(text, signal).catch((error: Error) => {
    signal?.throwIfAborted()
    return error
  })
}

/** Parses a document at once. Returns the error of one that is none. */
export function parseHere(text: string): XmlElement | Error {
  try {
    return parseXml(text)
  } catch (error) {
    return error as Error
  }
}

/** Returns whether a document takes no longer than the main thread may be busy. */
export const isShort = (text: string): boolean => text.length <= smallChars
