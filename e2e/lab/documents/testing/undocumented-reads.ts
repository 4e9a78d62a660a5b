import { type ApiName, type DocumentedApi, documentedApis } from '../calls.ts'
import { readKept } from '../keep.ts'
import { pathsRead } from '../paths-read.ts'
import { answerOf, memberAt, operationsOf } from '../schema.ts'

/** Returns the members of answers that an adapter reads although the kept document does not have them. */
export function undocumentedReads(name: ApiName): string[] {
  const kept = readKept(name)
  const operations = operationsOf(kept)
  return Object.entries((documentedApis[name] as DocumentedApi).calls).flatMap(([id, reads]) =>
    [...new Set(reads.flatMap((schema) => pathsRead(schema)))]
      .filter((path) => memberAt(kept, answerOf(operations.get(id)!.operation), path) === undefined)
      .map((path) => `${id} ${path}`),
  )
}
