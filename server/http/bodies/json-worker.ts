import { type Refusal, refusalOf } from '#server/infra/errors.ts'
import { type JsonBounds, parseJson } from './parse-json.ts'

export interface JsonTask extends JsonBounds {
  body: Uint8Array
}

/** Runs on a thread of the pool: inspects a body. Returns null if it can be parsed. */
export default function run({ body, depth, parts }: JsonTask): Refusal | null {
  try {
    parseJson(body, { depth, parts })
    return null
  } catch (error) {
    return refusalOf(error)
  }
}
