import type { IncomingMessage } from 'node:http'
import { readJson } from './forms/body.ts'
import type { FormModel } from './forms/form-kit.ts'
import { poshmarkForm, recordedPoshmarkForm } from './forms/poshmark-form.ts'
import type { SiteReply } from './https-site.ts'
import type { PoshmarkSite } from './poshmark.ts'
import { buildPost } from './poshmark-data.ts'

/** Listings made by the sell form, in the order of publishing. */
export interface Made {
  id: string
  model: FormModel
}

/** Answers the seller's pages: the sell form, a listing's page and its edit form. Null for any other. */
export async function answerSelling(site: PoshmarkSite, url: URL, request: IncomingMessage): Promise<SiteReply | null> {
  const closet = site.closets.get(site.signedInAs ?? '')
  if (url.hostname !== 'poshmark.com' || !closet) return null
  if (url.pathname === '/create-listing') {
    const options = { id: newId(site), next: `/closet/${closet.username}`, smart: site.smartSell }
    const body = site.recordedForm ? recordedPoshmarkForm(site.recordedForm, options) : poshmarkForm(options)
    return { body }
  }
  const id = /^\/vm-rest\/posts\/([0-9a-f]{24})(?:\/status\/published)?$/.exec(url.pathname)?.[1]
  if (id && request.method === 'POST') {
    site.drafts.set(id, (await readJson<{ post: FormModel }>(request)).post)
    return json({ data: { id } })
  }
  if (id && request.method === 'PUT') {
    const model = site.drafts.get(id)
    if (!model) return { status: 404, type: 'application/json', body: '{}' }
    site.made.push({ id, model })
    const { title, description } = model
    closet.posts.unshift(buildPost(closet, 1, 0, { id, title, description }))
    return json({ data: { id, status: 'published' } })
  }
  if (id && request.method === 'DELETE') {
    if (!site.keepsDeleted) closet.posts = closet.posts.filter((post) => post.id !== id)
    return json({ data: {} })
  }
  const listing = /^\/(listing|edit-listing)\/(?:[^/]*-)?([0-9a-f]{24})$/.exec(url.pathname)
  const post = closet.posts.find((one) => one.id === listing?.[2])
  if (!post) return null
  return { body: listing![1] === 'listing' ? listingPage(post.id, post.title) : editPage(post.id, closet.username) }
}

/** Returns an id that begins with its second of creation. */
function newId(site: PoshmarkSite): string {
  const seconds = Math.floor(Date.now() / 1_000).toString(16)
  return `${seconds}${String(site.made.length + site.drafts.size + 1).padStart(16, '0')}`
}

function listingPage(id: string, title: string): string {
  return page(title, `<h1>${escapeHtml(title)}</h1><p>$45</p><a class="btn" href="/edit-listing/${id}">Edit</a>`)
}

function editPage(id: string, username: string): string {
  const script = `
    const dialog = document.querySelector('[data-test=modal-container]')
    document.querySelector('[data-et-name=delete]').addEventListener('click', () => { dialog.hidden = false })
    dialog.querySelector('.btn--primary').addEventListener('click', async () => {
      await fetch('/vm-rest/posts/${id}', { method: 'DELETE' })
      location.assign('/closet/${username}')
    })`
  return page(
    'Edit listing',
    `<h1>Edit listing</h1><p><button class="btn" data-et-name="delete">Delete Listing</button></p>
<div data-test="modal-container" hidden><p>Are you sure you want to delete this listing?</p><div data-test="modal-footer"><button class="btn">No</button> <button class="btn btn--primary">Yes</button></div></div><script type="module">${script}</script>`,
  )
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escapeHtml(title)} - Poshmark</title><style>body{font:14px system-ui;margin:32px}.btn{padding:10px 18px;border:1px solid #8886;background:none;color:inherit;font:inherit}</style></head><body>${body}</body></html>`
}

function json(body: unknown): SiteReply {
  return { type: 'application/json; charset=utf-8', body: JSON.stringify(body) }
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
}
