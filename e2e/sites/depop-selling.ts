import type { IncomingMessage } from 'node:http'
import type { DepopSite } from './depop.ts'
import { buildProduct, escapeHtml, page, productJson, productPage } from './depop-data.ts'
import { readJson } from './forms/body.ts'
import { depopForm } from './forms/depop-form.ts'
import type { FormModel } from './forms/form-kit.ts'
import { depopOptions } from './forms/options.ts'
import type { SiteReply } from './https-site.ts'

/** As the form of October 2026 has them. */
const menus = {
  conditions: depopOptions.conditions,
  sources: depopOptions.sources,
  ages: depopOptions.ages,
}

/** Answers the seller's pages: the product form, a product's page and its management. Null for any other. */
export async function answerSelling(site: DepopSite, url: URL, request: IncomingMessage): Promise<SiteReply | null> {
  const path = url.pathname.replace('/presentation/api/v1', '')
  // A product is public.
  const isPublic = url.hostname === 'webapi.depop.com' && request.method === 'GET' && site.fault === null
  if ((!site.signedIn && !isPublic) || request.method === 'OPTIONS') return null
  if (url.hostname === 'webapi.depop.com') return answerApi(site, path, request)
  if (url.hostname !== 'www.depop.com') return null
  if (path === '/products/create/') {
    return { body: depopForm({ slug: newSlug(site), menus, ...site.form }) }
  }
  const [, slug, manage] = /^\/products\/([^/]+)\/(manage\/)?$/.exec(path) ?? []
  const product = site.products.find((one) => one.slug === slug && one.shop === site.shop)
  if (!product) return null
  site.hits.pages++
  if (manage) return { body: site.changesEdit(managePage(product.id)) }
  const link = `<p><a href="/products/${product.slug}/manage/">Manage listing</a></p>`
  return { body: productPage(product).replace('</main>', `${link}</main>`) }
}

async function answerApi(site: DepopSite, path: string, request: IncomingMessage): Promise<SiteReply | null> {
  if (path === '/listing/products/' && request.method === 'POST') {
    const model = await readJson<FormModel>(request)
    const slug = newSlug(site)
    const made = buildProduct(site.shop, 900 + site.made.length, {
      slug,
      description: model.description,
      price: model.price,
    })
    site.products.unshift(made)
    site.made.push({ id: made.id, slug, model })
    return { status: 201, type: 'application/json', body: JSON.stringify({ id: made.id, slug }) }
  }
  const id = /^\/products\/(\d+)\/$/.exec(path)?.[1]
  if (!id) return null
  const product = site.products.find((one) => one.id === Number(id))
  if (request.method === 'DELETE') {
    if (!site.keepsDeleted) site.products = site.products.filter((one) => one !== product)
    return { status: 204, body: '' }
  }
  if (!product) return { status: 404, type: 'application/json', body: JSON.stringify({ message: 'Product not found' }) }
  return { type: 'application/json', body: JSON.stringify(productJson(product)) }
}

function newSlug(site: DepopSite): string {
  return `${site.shop.username}-a-new-thing-${(0xb000 + site.made.length).toString(16)}`
}

function managePage(id: number): string {
  const script = `
    const ask = document.querySelector('dialog')
    document.querySelector('main button').addEventListener('click', () => { ask.showModal() })
    ask.querySelector('button').addEventListener('click', async () => {
      const token = /(?:^|; )access_token=([^;]+)/.exec(document.cookie)?.[1]
      await fetch('https://webapi.depop.com/presentation/api/v1/products/${id}/', { method: 'DELETE', headers: { authorization: 'Bearer ' + token } })
      location.assign('/sellinghub/selling/active/')
    })`
  return page(
    'Manage',
    `<main><h1>Manage listing</h1><button>Delete listing</button><dialog><p>${escapeHtml('This can’t be undone.')}</p><button>Delete</button></dialog></main><script type="module">${script}</script>`,
  )
}
