import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { buildHarness, type Harness } from '#extension/testing/harness.ts'
import type { ImportedRow } from '#shared/contract/catalog/inventory-files.ts'
import { fileHandlers } from './file-handlers.ts'

let harness: Harness
beforeEach(async () => {
  harness = await buildHarness()
})
afterEach(() => harness.close())

it('counts the rows of a file while the answer arrives, wherever it is cut', async () => {
  const results = [1, 2, 3].map((row): ImportedRow => {
    return { row, action: 'create', uid: null, sku: null, title: 'A {"row":9} é', errors: [] }
  })
  const counts = { created: 3, updated: 0, unchanged: 0, failed: 0 }
  const answer = { dry_run: true, format: 'hapax', ignored_columns: [], results, ...counts }
  const bytes = new TextEncoder().encode(JSON.stringify(answer))
  const body = new ReadableStream({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
      controller.close()
    },
  })
  Object.assign(harness.server, { fetch: async () => new Response(body) })
  const handlers = fileHandlers(harness.context)
  expect(await handlers['files.import']({ base64: btoa('title'), dryRun: true, currency: 'USD' })).toEqual(answer)
  const shown = harness.shown.fileRows
  expect([...new Set(shown)]).toEqual([0, 1, 2, 3])
})

it('sends the bytes of a file as they are, whose encoding the server finds', async () => {
  const sent: RequestInit[] = []
  Object.assign(harness.server, {
    fetch: async (_: string, init: RequestInit) => {
      sent.push(init)
      return new Response(null, { status: 400 })
    },
  })
  const bytes = Uint8Array.of(0x47, 0x72, 0xfc, 0x6e, 0x80, 0x00, 0xff)
  const base64 = btoa(String.fromCharCode(...bytes))
  await fileHandlers(harness.context)
    ['files.import']({ base64, dryRun: false, currency: 'EUR' })
    .catch(() => {})
  expect(sent).toMatchObject([{ headers: { 'content-type': 'text/csv' } }])
  expect(new Uint8Array(await new Response(sent[0]!.body).arrayBuffer())).toEqual(bytes)
})
