/** A part of a multipart body. */
interface FormPart {
  name: string
  fileName: string | null
  bytes: Buffer
}

/** Reads the parts of a multipart/form-data body; null for another type. */
export function readMultipart(contentType: string, body: Buffer): FormPart[] | null {
  const boundary = /^multipart\/form-data;.*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType)
  const mark = boundary?.[1] ?? boundary?.[2]
  if (!mark) return null
  const parts: FormPart[] = []
  const separator = Buffer.from(`\r\n--${mark}`)
  const whole = Buffer.concat([Buffer.from('\r\n'), body])
  for (let at = whole.indexOf(separator); at >= 0; ) {
    const next = whole.indexOf(separator, at + separator.length)
    if (next < 0) break
    const part = whole.subarray(at + separator.length + 2, next)
    const end = part.indexOf('\r\n\r\n')
    const head = part.subarray(0, end).toString('utf8')
    const name = /name="([^"]*)"/i.exec(head)?.[1]
    if (end >= 0 && name !== undefined) {
      parts.push({ name, fileName: /filename="([^"]*)"/i.exec(head)?.[1] ?? null, bytes: part.subarray(end + 4) })
    }
    at = next
  }
  return parts
}
