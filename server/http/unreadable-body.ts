import { problem } from './errors.ts'

/**
 * What reading a body threw, as an answer: a compressed one that is not what its header says is the sender's fault
 * (zlib's own error, and Brotli's), and so is one that breaks off; the rest goes on as it came.
 */
export function refuseUnreadable(error: Error): never {
  if (/^(Z_|ERR__ERROR_)/.test((error as NodeJS.ErrnoException).code ?? '')) {
    throw problem('invalid_request', 'The body is not compressed as its Content-Encoding says.', { cause: error })
  }
  throw Object.assign(error, { expose: false })
}
