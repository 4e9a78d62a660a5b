import { readFileSync } from 'node:fs'
import { type ApiName, type DocumentedApi, documentedApis } from './calls.ts'
import { excerptOf, OpenApiDocument } from './excerpt.ts'
import { KeptDocument } from './schema.ts'
import { Sent } from './sent.ts'
import { KeptTrading } from './trading.ts'

const folder = new URL('./fixtures/', import.meta.url)

/** Returns the file of a kept document. */
export const fileOf = (name: string) => new URL(`${name}.json`, folder)

/** Reads a kept document. */
export function readKept(name: ApiName): KeptDocument {
  return KeptDocument.parse(JSON.parse(readFileSync(fileOf(name), 'utf8')))
}

/** Reads the kept schema of the Trading API. */
export function readKeptTrading(): KeptTrading {
  return KeptTrading.parse(JSON.parse(readFileSync(fileOf('ebay-trading'), 'utf8')))
}

/** Reads what the adapters send in each call. */
export function readSent(): Sent {
  return Sent.parse(JSON.parse(readFileSync(fileOf('sent'), 'utf8')))
}

/**
 * Returns the parts of a whole document to keep: the adapter's operations that it has, and their schemas. Throws an
 * Error if it is not an OpenAPI document.
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
  // The document's own version of an operation takes precedence.
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
