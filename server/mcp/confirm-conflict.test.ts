import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { buildListing } from '#e2e/harness/listing.ts'
import { type ImportHarness, startImportHarness } from '#server/catalog/imports/testing/harness.ts'

let harness: ImportHarness
beforeAll(async () => {
  harness = await startImportHarness()
})
afterAll(() => harness?.close())

it('decides a conflict once by one confirmation, also after an undo', async () => {
  const seller = await harness.seller()
  const onEtsy = await harness.etsyOf(seller)
  harness.ebay.shop = [buildListing({ title: 'Mine', sku: 'S-1' })]
  await seller.import()
  const listing = buildListing({ title: 'Theirs', sku: 'S-1' })
  harness.etsy.shop = [{ ...listing, url: `https://www.etsy.com/listing/${listing.listing_id}` }]
  const { id: job_uid } = await onEtsy.import()
  const [conflict] = await onEtsy.items(job_uid, 'status=conflict')
  const client = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: seller.account.key }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${harness.server.url}/mcp`), { requestInit }))
  onTestFinished(() => client.close())
  const use = async (given: object = {}) => {
    const named = { job_uid, item_uid: conflict!.id, resolution: 'link_existing', ...given }
    const { content } = await client.callTool({ name: 'resolve_conflict', arguments: named })
    return JSON.parse((content as { text: string }[])[0]!.text)
  }
  const isOpen = async () => (await onEtsy.items(job_uid, 'status=conflict')).length === 1

  const { confirmation } = await use()
  const { change_uid } = await use({ confirmation })
  expect(await isOpen()).toBe(false)
  expect((await seller.call('POST', `/api/v1/changes/${change_uid}/undo/`)).status).toBe(200)
  expect(await isOpen()).toBe(true)
  await use({ confirmation })
  expect(await isOpen()).toBe(true)
})
