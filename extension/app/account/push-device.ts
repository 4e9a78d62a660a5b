import { deleteWebPush, putWebPush, readWebPush } from '#shared/contract/account/web-push.ts'
import { callAccount } from './call-account.ts'

/**
 * `unsupported`: the browser cannot be notified; on an iPhone only an installed app can. `blocked`: the seller refused
 * notifications in the browser.
 */
export type PushState = 'unsupported' | 'blocked' | 'on' | 'off'

/** Returns whether this browser is notified. */
export async function readPushState(): Promise<PushState> {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) return 'unsupported'
  if (Notification.permission === 'denied') return 'blocked'
  const [subscription, { subscriptions }] = await Promise.all([currentSubscription(), callAccount(readWebPush, {})])
  if (!subscription) return 'off'
  const own = await idOf(subscription.endpoint)
  return subscriptions.some(({ id }) => id === own) ? 'on' : 'off'
}

/** Asks for permission and has this browser notified. Returns the state afterwards. */
export async function startPush(): Promise<PushState> {
  if ((await Notification.requestPermission()) !== 'granted') return readPushState()
  const { public_key } = await callAccount(readWebPush, {})
  const { pushManager } = await navigator.serviceWorker.ready
  // A subscription for another key, of another server or a lost database, cannot be used.
  await (await pushManager.getSubscription())?.unsubscribe()
  await save(await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: public_key }))
  return readPushState()
}

/** Ties the notifications of this browser to the session that has just begun. Ends them if they are another seller's. */
export async function takeOverPush(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration('/app/')
  const subscription = await registration?.pushManager?.getSubscription()
  if (!subscription) return
  const { subscriptions } = await callAccount(readWebPush, {})
  const own = await idOf(subscription.endpoint)
  if (subscriptions.some(({ id }) => id === own)) await save(subscription)
  else await subscription.unsubscribe()
}

async function save(subscription: PushSubscription): Promise<void> {
  const { endpoint, keys } = subscription.toJSON()
  await callAccount(putWebPush, { body: { endpoint: endpoint!, keys: { p256dh: keys!.p256dh!, auth: keys!.auth! } } })
}

/** Ends the notifications of this browser. Returns the state afterwards. */
export async function stopPush(): Promise<PushState> {
  const subscription = await currentSubscription()
  if (subscription) {
    await callAccount(deleteWebPush, { params: { id: await idOf(subscription.endpoint) } })
    await subscription.unsubscribe()
  }
  return readPushState()
}

async function currentSubscription(): Promise<PushSubscription | null> {
  return (await navigator.serviceWorker.ready).pushManager.getSubscription()
}

/** Returns the id that the server gives a subscription. */
async function idOf(endpoint: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint))
  return btoa(String.fromCharCode(...new Uint8Array(hash)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
