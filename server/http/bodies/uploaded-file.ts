import { setImmediate as nextTurn } from 'node:timers/promises'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { problem } from '#server/infra/errors.ts'
import { waysIn } from '#server/infra/ways-in/ways-in.ts'

/** Media types of a request that uploads a file. The bytes say what the file is. */
export const uploadTypes = ['image/*', 'application/octet-stream', 'multipart/form-data']

/** Limits of a form. A file of an upload comes alone or with a few fields. */
const limits = {
  parts: waysIn.upload.parts,
  files: 1,
  fields: 9,
  fieldNameSize: 100,
  fieldSize: 10_000,
  headerPairs: 20,
}

/** Bytes of a form that belong to no part's content: boundaries, headers, and text around the parts. */
const maxAroundBytes = 16_000

/** Bytes that are parsed in one turn of the event loop. If they are nothing but parts, they take 25 ms. */
const turnBytes = 16_000

/**
 * Returns the bytes of an upload: the body itself, or the only file of a form. Throws `invalid_request` for a form that
 * is malformed, has too many parts or headers, or has not exactly one file.
 */
export async function readUploadedFile(body: Buffer, contentType: string): Promise<Uint8Array> {
  if (!/^\s*multipart\/form-data\b/i.test(contentType)) return body
  const { files, contentBytes } = await parseForm(body, contentType)
  if (body.length - contentBytes > maxAroundBytes) throw malformed()
  const [file] = files
  if (!file) throw notOneFile()
  return Buffer.concat(file)
}

const notOneFile = () => problem('invalid_request', 'The form must have exactly one file.')
const malformed = (cause?: unknown) => problem('invalid_request', 'The form is malformed.', { cause })

interface Form {
  /** The chunks of each file. */
  files: Buffer[][]
  /** Bytes of all files and fields. */
  contentBytes: number
}

async function parseForm(body: Buffer, contentType: string): Promise<Form> {
  const form: Form = { files: [], contentBytes: 0 }
  const parser = createParser(contentType, body.length)
  let fault: Error | null = null
  const refuse = (error: Error) => {
    fault ??= error
  }
  const ended = new Promise<void>((resolve) => parser.once('finish', resolve).once('error', () => resolve()))
  parser.on('error', (error) => refuse(malformed(error)))
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) parser.on(limit, () => refuse(notOneFile()))
  parser.on('field', (_name, value) => {
    form.contentBytes += Buffer.byteLength(value)
  })
  parser.on('file', (_name, stream) => {
    const chunks: Buffer[] = []
    form.files.push(chunks)
    stream.on('error', (error) => refuse(malformed(error)))
    stream.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      form.contentBytes += chunk.length
    })
  })
  for (let at = 0; at < body.length && !fault; at += turnBytes) {
    parser.write(body.subarray(at, at + turnBytes))
    await nextTurn()
  }
  if (!fault) {
    parser.end()
    await ended
  }
  if (fault) {
    parser.destroy()
    throw fault
  }
  return form
}

function createParser(contentType: string, fileSize: number): BusboyInstance {
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits: { ...limits, fileSize } })
  } catch (cause) {
    throw malformed(cause)
  }
}
