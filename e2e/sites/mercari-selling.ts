import type { IncomingMessage } from 'node:http'
import { readJson } from './forms/body.ts'
import type { FormModel } from './forms/form-kit.ts'
import { mercariForm, ownTestIds } from './forms/mercari-form.ts'
import type { SiteReply } from './https-site.ts'
import type { MercariSite } from './mercari.ts'
import { buildItem, escapeHtml } from './mercari-data.ts'

/** Answers the seller's pages: the sell form and an item's edit form. Null for any other. */
export async function answerSelling(site: MercariSite, url: URL, request: IncomingMessage): Promise<SiteReply | null> {
  if (url.hostname !== 'www.mercari.com' || !site.signedIn) return null
  if (url.pathname === '/sell/') {
    const { testIds, ...form } = site.form
    return { body: mercariForm({ id: newId(site), testIds: testIds ?? ownTestIds, ...form }) }
  }
  if (url.pathname === '/v1/stand-in/list' && request.method === 'POST') {
    const model = await readJson<FormModel>(request)
    const id = newId(site)
    site.made.push({ id, model })
    const created = Math.floor(Date.now() / 1_000)
    const price = Math.round(Number(model.price) * 100)
    site.items.unshift(
      buildItem(site.seller, 0, { id, name: model.title, description: model.description, price, created }),
    )
    return { type: 'application/json', body: '{}' }
  }
  const gone = /^\/v1\/stand-in\/delete\/(m\d+)$/.exec(url.pathname)?.[1]
  if (gone && request.method === 'POST') {
    if (!site.keepsDeleted) site.items = site.items.filter((item) => item.id !== gone)
    return { type: 'application/json', body: '{}' }
  }
  const edited = /^\/sell\/edit\/(m\d+)\/$/.exec(url.pathname)?.[1]
  const item = site.items.find((one) => one.id === edited)
  return item ? { body: site.changesEdit(editPage(item.id, item.name)) } : null
}

function newId(site: MercariSite): string {
  return `m${90_000_000_000 + site.made.length}`
}

function editPage(id: string, name: string): string {
  const script = `
    document.querySelector('[data-testid=DeleteButton]').addEventListener('click', () => { document.querySelector('dialog').showModal() })
    document.querySelector('dialog button').addEventListener('click', async () => {
      await fetch('/v1/stand-in/delete/${id}', { method: 'POST' })
      history.pushState({}, '', '/mypage/listings/active/')
      document.body.replaceChildren('Your listing was deleted.')
    })`
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Edit | Mercari</title><style>body{font:14px system-ui;margin:32px}</style></head><body><h1>${escapeHtml(name)}</h1><button data-testid="DeleteButton">Delete</button><dialog><p>Sure?</p><button>Delete listing</button></dialog><script type="module">${script}</script></body></html>`
}
