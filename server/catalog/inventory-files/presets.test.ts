import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#server/testing/account.ts'
import { apiOf } from '#server/testing/api.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { readFile } from './read-file.ts'

let server: TestServer
let seller: TestAccount
beforeAll(async () => {
  server = await startTestServer({ works: false })
})
afterAll(() => server?.close())
beforeEach(async () => {
  seller = await buildAccount(server.services.db)
})

async function upload(csv: string, query = '') {
  const answer = await fetch(`${server.url}/api/v1/inventory/import/${query}`, {
    method: 'POST',
    headers: { ...seller.key, 'content-type': 'text/csv; charset=utf-8' },
    body: csv,
  })
  return answer.json()
}
const items = async () =>
  (await apiOf(server.url)('GET', '/api/v1/inventory/', { headers: seller.key })).body.results.reverse()

const etsy = `TITLE,DESCRIPTION,PRICE,CURRENCY_CODE,QUANTITY,TAGS,MATERIALS,IMAGE1,IMAGE2,IMAGE3,VARIATION 1 TYPE,VARIATION 1 NAME,VARIATION 1 VALUES,SKU
Green ring,"Line one
Line two",26.15,GBP,1,"ring,green","Copper,Stone",https://i.etsystatic.com/1.jpg,https://i.etsystatic.com/2.jpg,,,,,RING-1
Mug,Many,8.30,GBP,3,mug,Clay,https://i.etsystatic.com/3.jpg,,,,,,MUG-1
`
const ebay = `Info,Version=1.0.0,Template=fx_category_template_EBAY_GB
*Action(SiteID=UK|Country=GB|Currency=GBP|Version=1193|CC=UTF-8),CustomLabel,*Category,*Title,*ConditionID,C:Brand,PicURL,*Description,*Format,*Duration,*StartPrice,*Quantity
Info,>>> Get more details on how to complete listings,,,,,,,,,,
Add,CAM-1,31388,Old camera,3000-Used,Kodak,https://a.example/1.jpg|https://a.example/2.jpg,<p>It <b>works</b></p>,FixedPrice,GTC,"1,250.00",1
End,CAM-2,31388,Gone,3000,Kodak,https://a.example/3.jpg,x,FixedPrice,GTC,5.00,1
`
const vendoo = `Title,Description,Brand,Condition,Primary Color,SKU,Price,Cost of Goods,Status,Date Listed,Labels,Images
Wool coat,Warm,Acme,Like new,Navy,V-1,$45.00,$12.50,Active,2026-01-02,winter,https://v.example/1.jpg
Sold hat,Gone,Acme,Good,Red,V-2,$15.00,$2.00,Sold,2026-01-02,winter,https://v.example/2.jpg
`
const listPerfectly = `Title,Description,Brand,Size,SKU,Price,COGS,Keywords,Image URLs
Silk scarf,Soft,Acme,One,L-1,18,4,scarf,"https://l.example/1.jpg, https://l.example/2.jpg"
`
const crosslist = `Id,Title,Description,Category id,Size id,Condition,Brand,Price,Sku,Images
,Boots,Brown,12,7,Good,Acme,60,C-1,https://c.example/1.jpg|https://c.example/2.jpg
,Bag,Black,12,7,Good,Acme,60,C-2,bag.jpg
`

describe('files of other programs', () => {
  it.each([
    ['etsy', etsy],
    ['ebay', ebay],
    ['vendoo', vendoo],
    ['list_perfectly', listPerfectly],
    ['crosslist', crosslist],
    ['hapax', 'title,price,currency,condition,images\nA,1,USD,Used,https://a.example/1.jpg\n'],
  ])('recognizes a file of %s', async (format, csv) => {
    expect((await readFile(csv)).format).toBe(format)
  })

  it("imports Etsy's pictures and currency, and leaves out stock of several", async () => {
    const answer = await upload(etsy)
    expect(answer).toMatchObject({ format: 'etsy', created: 1, failed: 1 })
    expect(answer.results[1].errors).toMatchObject([{ code: 'left_out', message: 'offers more than one' }])
    expect(await items()).toMatchObject([
      {
        sku: 'RING-1',
        description: 'Line one\nLine two',
        attributes: { material: 'Copper,Stone' },
        record: {
          images: ['https://i.etsystatic.com/1.jpg', 'https://i.etsystatic.com/2.jpg'],
          offer: { price_minor: 2_615, currency: 'GBP' },
          condition: { label: 'not stated' },
        },
      },
    ])
  })

  it("imports eBay's condition, plain description and currency of the heading", async () => {
    expect(await upload(ebay)).toMatchObject({ created: 1, failed: 1 })
    expect(await items()).toMatchObject([
      {
        sku: 'CAM-1',
        description: 'It works',
        attributes: { brand: 'Kodak' },
        record: { condition: { label: 'Used' }, offer: { price_minor: 125_000, currency: 'GBP' } },
      },
    ])
  })

  it('imports what Vendoo has for sale with its cost, in the given currency', async () => {
    expect(await upload(vendoo)).toMatchObject({ created: 0, failed: 2 })
    const answer = await upload(vendoo, '?currency=USD')
    expect(answer).toMatchObject({ created: 1, failed: 1, ignored_columns: ['status', 'date_listed', 'labels'] })
    expect(await items()).toMatchObject([
      { sku: 'V-1', attributes: { brand: 'Acme', colors: ['Navy'], cost_minor: 1_250 } },
    ])
  })

  it('fails only the row whose pictures are no links', async () => {
    const answer = await upload(crosslist, '?currency=USD')
    expect(answer).toMatchObject({ created: 1, failed: 1 })
    expect(answer.results[1].errors).toMatchObject([{ field: 'images.0' }])
  })

  it('keeps the condition of a known item that the file does not state', async () => {
    const known = `sku,title,price,currency,condition,images\nRING-1,Ring,1,GBP,Mint,https://a.example/1.jpg\n`
    await upload(known)
    expect(await upload(etsy)).toMatchObject({ updated: 1 })
    expect((await items())[0].record).toMatchObject({ title: 'Green ring', condition: { label: 'Mint' } })
  })
})
