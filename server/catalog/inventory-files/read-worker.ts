import { HttpProblem } from '#server/infra/errors.ts'
import type { ErrorCode, FieldError } from '#shared/contract/declaring/errors.ts'
import { decodeText } from './decode-text.ts'
import { type File, readFile } from './read-file.ts'

export interface ReadTask {
  bytes: Uint8Array
  /** The charset of the Content-Type, if any. */
  charset: string | null
}

/** Errors lose their class between threads. */
export type ReadResult =
  | { file: File }
  | { refusal: { code: ErrorCode; detail: string; errors: FieldError[]; members: Record<string, string> } }

/** Runs on a thread of the pool: decodes and reads a file. */
export default function run({ bytes, charset }: ReadTask): ReadResult {
  try {
    return { file: readFile(decodeText(bytes, charset)) }
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error
    return { refusal: { code: error.code, detail: error.message, errors: error.errors ?? [], members: error.members } }
  }
}
