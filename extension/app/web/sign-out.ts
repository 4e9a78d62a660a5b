import { removeShared } from '#extension/storage/drafts.ts'
import { send } from '../host.ts'
import { callWithCookie } from './call-with-cookie.ts'

/** Ends the session at the server and leaves the app. */
export async function signOut(): Promise<void> {
  // Without a network the session ends by itself later; what is here is gone all the same.
  await callWithCookie('/api/auth/logout/', { method: 'POST' }).catch(() => null)
  await leave()
}

/** Forgets what this browser knows of the account, and leaves the app. */
export async function leave(to = '/connect/?to=app'): Promise<void> {
  await callWithCookie('/app/sign-out', { method: 'POST' }).catch(() => null)
  await endNotifications()
  await removeShared().catch(() => null)
  await send('popup.signOut', {})
  // Saved filters and the choice of columns.
  localStorage.clear()
  location.replace(to)
}

/** Ends the subscription of this browser, which the server forgets with the session. */
async function endNotifications(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration('/app/').catch(() => undefined)
  const subscription = await registration?.pushManager?.getSubscription().catch(() => null)
  await subscription?.unsubscribe().catch(() => false)
}
