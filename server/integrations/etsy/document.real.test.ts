import { readdirSync, readFileSync } from 'node:fs'
import { readPublished } from '#server/sandbox/kit/published.ts'
import { describeDocument } from './testing/describe-document.ts'

/** Etsy's whole published documents, stored outside the repository. */
const folder = new URL('../../../../shared/data/etsy-specs/', import.meta.url)

for (const name of readdirSync(folder).filter((file) => file.endsWith('.json'))) {
  describeDocument(name, () => readPublished(JSON.parse(readFileSync(new URL(name, folder), 'utf8'))))
}
