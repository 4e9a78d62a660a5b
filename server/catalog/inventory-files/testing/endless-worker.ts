import type { ReadResult, ReadTask } from '../read-worker.ts'

/** Reads a file without end, unless it is empty. */
export default function run({ bytes }: ReadTask): ReadResult {
  if (bytes.length === 0) return { refusal: { code: 'invalid_request', detail: 'The file is empty.', members: {} } }
  for (;;);
}
