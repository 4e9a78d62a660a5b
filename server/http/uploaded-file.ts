import { problem } from '#server/infra/errors.ts'

/** Media types of a request that uploads a file. The bytes say what the file is. */
export const uploadTypes = ['image/*', 'application/octet-stream', 'multipart/form-data']

/** Parts of a form that are parsed. A file of an upload comes alone or with a few fields. */
const maxParts = 10

/**
 * Returns the bytes of an upload: the body itself, or the only file of a form. Node parses the form, whose size the
 * caller has limited. Throws `invalid_request` for a form that is malformed or has not exactly one file.
 */
export async function readUploadedFile(body: Buffer, contentType: string): Promise<Uint8Array> {
  if (!/^multipart\/form-data\b/i.test(contentType)) return body
  const boundary = /boundary="?([^";,]{1,70})"?/i.exec(contentType)?.[1] ?? ''
  if (boundary === '' || countOf(body, `--${boundary}`) > maxParts + 1) throw notOneFile()
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } })
    .formData()
    .catch((cause: unknown) => {
      throw problem('invalid_request', 'The form is malformed.', { cause })
    })
  const files = [...form.values()].filter((value) => typeof value !== 'string')
  const [file] = files
  if (!file || files.length > 1) throw notOneFile()
  return new Uint8Array(await file.arrayBuffer())
}

const notOneFile = () => problem('invalid_request', 'The form must have exactly one file.')

function countOf(body: Buffer, text: string): number {
  let count = 0
  for (let at = body.indexOf(text); at !== -1 && count <= maxParts + 1; at = body.indexOf(text, at + text.length)) {
    count++
  }
  return count
}
