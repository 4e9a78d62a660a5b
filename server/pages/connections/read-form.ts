import type Koa from 'koa'
import { bodyParser, openBody } from '#server/http/bodies/read-body.ts'
import { problem } from '#server/infra/errors.ts'
import { waysIn } from '#server/infra/ways-in/ways-in.ts'

const { bytes } = waysIn.form

/** Names are plain: no dots or brackets that make objects of them. */
const parse = bodyParser({
  urlencoded: true,
  formLimit: bytes,
  queryString: { allowDots: false, depth: 0, parameterLimit: bytes },
})

/**
 * Returns the fields of a form. Throws 415 for another type, 413 above 10 kB, 400 for a repeated or malformed field.
 */
export async function readForm(ctx: Koa.Context): Promise<Map<string, string>> {
  if (!ctx.is('application/x-www-form-urlencoded')) throw problem('unsupported_media_type', 'Send the form as it is.')
  const { body } = await parse(openBody(ctx, 'form'))
  return textFields(Object.entries(body as Record<string, unknown>))
}

/** Returns parameters by name; throws 400 for a repeated or malformed one. */
export function textFields(parameters: Iterable<[string, unknown]>): Map<string, string> {
  const fields = new Map<string, string>()
  for (const [name, value] of parameters) {
    if (fields.has(name) || typeof value !== 'string') throw problem('invalid_request', 'A field is given twice.')
    if (value.includes('\0') || !value.isWellFormed()) throw problem('invalid_request', 'A field is not text.')
    fields.set(name, value)
  }
  return fields
}
