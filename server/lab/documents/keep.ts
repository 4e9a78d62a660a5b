import { readFileSync } from 'node:fs'
import { type ApiName, type DocumentedApi, documentedApis } from './calls.ts'
import { excerptOf, OpenApiDocument } from './excerpt.ts'
import { KeptDocument } from './schema.ts'
import { Sent } from './sent.ts'
import { KeptTrading } from './trading.ts'

const folder = new URL('./fixtures/', import.meta.url)

/** The file that keeps what the adapters need of a document. */
export const fileOf = (name: string) => new URL(`${name}.json`, folder)

/** Reads what is kept of a document. */
export function readKept(name: ApiName): KeptDocument {
  return KeptDocument.parse(JSON.parse(readFileSync(fileOf(name), 'utf8')))
}

/** Reads what is kept of the Trading API's schema. */
export function readKeptTrading(): KeptTrading {
  return KeptTrading.parse(JSON.parse(readFileSync(fileOf('ebay-trading'), 'utf8')))
}

/** The requests of the adapters, call by call. */
export function readSent(): Sent {
  return Sent.parse(JSON.parse(readFileSync(fileOf('sent'), 'utf8')))
}

/**
 * Returns what is to be kept of a whole document: the operations that the adapter calls, as far as the document has them,
 * and the schemas that they name. Throws an error for anything else than an OpenAPI document.
 */
export function keptOf(name: ApiName, json: unknown, source: string): KeptDocument {
  const { basePath, calls, loose, additions = {} }: DocumentedApi = documentedApis[name]
  const document = OpenApiDocument.parse(json)
  const operations = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).flatMap((operation) => {
      const id = (operation as { operationId?: unknown } | null)?.operationId
      return typeof id === 'string' ? [id] : []
    }),
  )
  // A document that has them by now is right about them.
  const missing = Object.entries(additions).filter(([path]) => !(path in document.paths))
  const whole = { ...document, paths: { ...document.paths, ...Object.fromEntries(missing) } }
  const options = { loose, answers: true, lenient: true }
  const excerpt = excerptOf([{ json: whole, basePath }], Object.keys(calls), options)
  return KeptDocument.parse({
    source,
    version: document.info.version,
    operations: [...new Set(operations)].sort(),
    ...excerpt,
  })
}
