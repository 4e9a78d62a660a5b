import { readFileSync, writeFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { apiNames, documentedApis } from '#e2e/lab/documents/calls.ts'
import { excerptOf, type Source } from '#e2e/lab/documents/excerpt.ts'
import { readKept } from '#e2e/lab/documents/keep.ts'
import { startEbaySandbox as startEbay } from '#server/integrations/ebay/testing/ebay-sandbox.ts'
import { client as etsyClient, startEtsySandbox as startEtsy } from '#server/integrations/etsy/testing/etsy-sandbox.ts'

/*
 * The sandboxes check every request against this excerpt of the kept documents.
 * `UPDATE_PUBLISHED=1 npm run vitest -- --project server e2e/lab/documents/published` updates it.
 */
const platforms = ['ebay', 'etsy'] as const

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

describe.each(platforms)('the document of the sandbox %s', (slug) => {
  const file = new URL(`../../../server/sandbox/${slug}/published.json`, import.meta.url)

  it('is the excerpt of the kept documents', () => {
    const names = apiNames.filter((name) => documentedApis[name].platform === slug)
    const sources = names.map((name): Source => {
      const { version, paths, components } = readKept(name)
      return { json: { info: { version }, paths, components } }
    })
    const calls = names.flatMap((name) => Object.keys(documentedApis[name].calls))
    const excerpt = excerptOf(sources, calls)
    if (process.env.UPDATE_PUBLISHED) writeFileSync(file, `${JSON.stringify(excerpt)}\n`)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(excerpt)
  })
})

describe('a sandbox without a document refuses', () => {
  it.each<[string, { method?: string; path: string; body?: unknown }, string]>([
    [
      'an unknown member',
      { method: 'PUT', path: '/commerce/notification/v1/config', body: { mail: 'a@example.com' } },
      'body.mail is not known',
    ],
    [
      'a member of the wrong type',
      { method: 'PUT', path: '/commerce/notification/v1/config', body: { alertEmail: 7 } },
      'body.alertEmail is no string',
    ],
    [
      'a parameter that is not known',
      { path: '/sell/fulfillment/v1/order?page=2' },
      'page is no parameter of getOrders',
    ],
    [
      'a body that is not JSON',
      { method: 'PUT', path: '/commerce/notification/v1/config', body: '{"alertEmail"' },
      'the body is no application/json',
    ],
  ])('eBay: %s', async (_name, { method = 'GET', path, body }, fault) => {
    const { sandbox, url } = await startEbay({ sellers: [{ username: 'doc_dan', items: [] }], usual: false })
    closing.push(() => sandbox.close())
    const headers: Record<string, string> = {
      authorization: `Bearer ${sandbox.grant('doc_dan').access_token}`,
      'accept-language': 'en-US',
    }
    if (body !== undefined) headers['content-type'] = 'application/json'
    const sent = typeof body === 'string' ? body : body === undefined ? null : JSON.stringify(body)
    const answer = await fetch(`${url}${path}`, { method, headers, body: sent })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ errors: [{ errorId: 2004, message: `Invalid request: ${fault}` }] })
    expect(sandbox.violations.join('; ')).toBe(fault)
  })

  const listing = {
    quantity: '1',
    title: 'Jug',
    description: 'Blue.',
    price: '20.5',
    who_made: 'i_did',
    taxonomy_id: '1',
  }
  it.each<[string, { method?: string; path: string; form?: Record<string, string>; json?: object }, string]>([
    ['a limit above the maximum', { path: '/shops/1/listings?limit=101' }, 'limit is above 100'],
    [
      'a parameter that is not known',
      { path: '/shops/1/listings?page=2' },
      'page is no parameter of getListingsByShop',
    ],
    [
      'a form without a required member',
      { method: 'POST', path: '/shops/1/listings', form: listing },
      'body.when_made is missing',
    ],
    [
      'a form with an unknown value',
      { method: 'POST', path: '/shops/1/listings', form: { ...listing, when_made: '1970s', who_made: 'nobody' } },
      'body.who_made is "nobody"',
    ],
    [
      'a price that is not accepted',
      { method: 'PATCH', path: '/shops/1/listings/2', form: { price: '21' } },
      'body.price is not known',
    ],
    [
      'JSON instead of a form',
      { method: 'PATCH', path: '/shops/1/listings/2', json: { state: 'inactive' } },
      'no body of application/json is described',
    ],
    [
      'products without offerings',
      { method: 'PUT', path: '/listings/2/inventory', json: { products: [{ sku: 'A' }] } },
      'body.products.0.offerings is missing',
    ],
  ])('Etsy: %s', async (_name, { method = 'GET', path, form, json }, fault) => {
    const { sandbox, url } = await startEtsy({ usual: false, shops: [{ shopName: 'DocDanShop', listings: [] }] })
    closing.push(() => sandbox.close())
    const headers: Record<string, string> = {
      'x-api-key': `${etsyClient.clientId}:${etsyClient.clientSecret}`,
      authorization: `Bearer ${sandbox.grant('DocDanShop').access_token}`,
    }
    if (json) headers['content-type'] = 'application/json'
    const body = json ? JSON.stringify(json) : form ? new URLSearchParams(form) : null
    const answer = await fetch(`${url}/v3/application${path}`, { method, headers, body })
    expect([answer.status, await answer.json()]).toEqual([400, { error: fault }])
    expect(sandbox.violations).toEqual([fault])
  })
})
