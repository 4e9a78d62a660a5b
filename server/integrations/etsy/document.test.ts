import { readKept } from '#e2e/lab/documents/keep.ts'
import { readPublished } from '#server/sandbox/kit/published.ts'
import { describeDocument } from './testing/describe-document.ts'

describeDocument('Etsy’s published document, as far as it is kept', () => readPublished(readKept('etsy')))
