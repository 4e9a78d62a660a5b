// Keeps the web app's files, so that it opens without a network. Data is kept by the app itself, in IndexedDB. Shows push
// notifications (server/accounts/web-push/queue-push.ts).
const cacheName = 'hapax-app-1'

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url)
  if (event.request.method === 'POST' && url.origin === location.origin && url.pathname === '/app/share') {
    event.respondWith(keepShared(event.request))
    return
  }
  if (event.request.method !== 'GET' || url.origin !== location.origin || !url.pathname.startsWith('/app/')) return
  event.respondWith(url.pathname.startsWith('/app/assets/') ? fromCache(event.request) : fromNetwork(event.request))
})

/** Most of one share: photos, bytes of each and of all; and most shares that wait for the drafts screen. */
const mostShared = { photos: 30, bytes: 15_000_000, allBytes: 150_000_000, waiting: 10 }

/**
 * Keeps what another app shares, also without a network, until the drafts screen takes it (extension/app/drafts/
 * send-drafts.ts). Another site can post a form here, too. One that hides where it comes from looks like an app, so all is
 * bounded, nothing is sent before the seller presses a button, and signing out deletes it.
 */
async function keepShared(request) {
  try {
    if ([request.headers.get('origin'), request.referrer].some(isForeign)) throw new Error('another site')
    const form = await request.formData()
    const photos = form.getAll('photos')
    const bytes = photos.map(({ size }) => size)
    const all = bytes.reduce((sum, size) => sum + size, 0)
    const box = await caches.open('hapax-shared')
    const isTooMuch = photos.length > mostShared.photos || Math.max(0, ...bytes) > mostShared.bytes
    if (isTooMuch || all > mostShared.allBytes || (await box.keys()).length >= mostShared.waiting)
      throw new Error('full')
    const kept = new FormData()
    for (const photo of photos) kept.append('photos', photo)
    for (const name of ['title', 'text']) kept.append(name, String(form.get(name) ?? '').slice(0, 1_000))
    await box.put(`/app/shared/${crypto.randomUUID()}`, new Response(kept))
    return Response.redirect('/app/#drafts', 303)
  } catch {
    return Response.redirect('/app/#drafts/lost', 303)
  }
}

const isForeign = (address) => /^https?:/.test(address) && new URL(address).origin !== location.origin

async function fromCache(request) {
  return (await caches.match(request)) ?? fromNetwork(request)
}

async function fromNetwork(request) {
  const cache = await caches.open(cacheName)
  try {
    const response = await fetch(request)
    if (response.ok) await cache.put(request, response.clone())
    return response
  } catch (error) {
    const kept = await cache.match(request)
    if (kept) return kept
    throw error
  }
}

/** Where only the seller can end a listing. No notification opens another site. */
const marketplaces = ['https://poshmark.com', 'https://www.mercari.com', 'https://www.depop.com']

self.addEventListener('push', (event) => {
  const { title, body, path, tag, listing_url } = event.data.json()
  const actions = listing_url ? [{ action: 'app', title: 'Open in Hapax' }] : []
  const data = { path, listing_url }
  const icon = '/app/icon/128.png'
  event.waitUntil(self.registration.showNotification(title, { body, tag, icon, data, actions }))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const { path, listing_url } = event.notification.data
  const listing = event.action === 'app' ? null : URL.parse(listing_url)
  event.waitUntil(marketplaces.includes(listing?.origin) ? openListing(listing, path) : openPage(path))
})

/** Opens a listing at its marketplace. A window that shows the app shows the task meanwhile, as the way back. */
async function openListing(listing, path) {
  const [open] = await clients.matchAll({ type: 'window' })
  await clients.openWindow(listing.href)
  await open?.navigate(new URL(path, location.origin).href)
}

/** Opens a page of the app, in a window that shows the app already if there is one. */
async function openPage(path) {
  const url = new URL(path, location.origin)
  if (url.origin !== location.origin) return
  const [open] = await clients.matchAll({ type: 'window' })
  if (!open) return clients.openWindow(url.href)
  await open.focus()
  await open.navigate(url.href)
}
