import { type Refusal, refusalOf } from '#server/infra/errors.ts'
import { decodeText } from './decode-text.ts'
import { type File, readFile } from './read-file.ts'

export interface ReadTask {
  bytes: Uint8Array
  /** The charset of the Content-Type, if any. */
  charset: string | null
}

export type ReadResult = { file: File } | { refusal: Refusal }

/** Runs on a thread of the pool: decodes and reads a file. */
export default function run({ bytes, charset }: ReadTask): ReadResult {
  try {
    return { file: readFile(decodeText(bytes, charset)) }
  } catch (error) {
    return { refusal: refusalOf(error) }
  }
}
