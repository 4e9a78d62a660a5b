import type { Readable } from 'node:stream'

/** The files of an image: the upload as it came, and the served sizes by their longest side in pixels. */
export const imageFiles = ['original', '200', '800', '2000'] as const
export type ImageFile = (typeof imageFiles)[number]

interface OpenImage {
  stream: Readable
  /** Null if the storage does not say. */
  bytes: number | null
}

/** Holds the files of images, by the image's uid. Methods throw if the storage cannot be reached. */
export interface ImageStore {
  /** Writes a file whole or not at all; an existing one is replaced. */
  put(uid: string, file: ImageFile, bytes: Buffer, type: string): Promise<void>
  /** Returns null for a file that does not exist. */
  get(uid: string, file: ImageFile): Promise<Buffer | null>
  /**
   * Opens a file, whose reader must end or destroy the stream. It is read as fast as the reader takes it, so little of
   * it is in memory. Returns null for a file that does not exist.
   */
  open(uid: string, file: ImageFile): Promise<OpenImage | null>
  /** Removes all files of an image; none is fine, too. */
  remove(uid: string): Promise<void>
}
