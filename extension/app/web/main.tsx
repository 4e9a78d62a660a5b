import { render } from 'preact'
import { createWorker } from '#extension/background/create-worker.ts'
import { signIn } from '#extension/background/session/account.ts'
import { readSession, type Session } from '#extension/background/session/session.ts'
import { text } from '#extension/i18n/text.ts'
import { User } from '#shared/contract/account/accounts.ts'
import { platforms } from '#shared/platforms.ts'
import { Lazy } from '../components/lazy.tsx'
import { offerUndo } from '../components/undo-toast.tsx'
import { runOn } from '../host.ts'
import { keepLinkToken } from '../sale-mail/link-token.ts'
import { App } from '../shell/app.tsx'
import { keepPlace, takePlace } from '../shell/left-place.ts'
import { AccountMenu } from './account-menu.tsx'
import { callInSession, callWithCookie, cookieKey, releaseCalls } from './call-with-cookie.ts'
import { directHost } from './direct-host.ts'
import { HomeNotices } from './home-notices.tsx'
import { signInPath } from './sign-in-path.ts'
import { SignedOut } from './signed-out.tsx'
import { webHome } from './web-home.ts'

/** Time in ms for the server to say whose session the cookie is. All other calls wait for it. */
const validateMs = 10_000

const loadSaleMailSetup = () => import('../sale-mail/setup.tsx').then(({ SaleMailSetup }) => SaleMailSetup)
const loadCamera = () => import('./camera.tsx').then(({ Camera }) => Camera)
const loadAccountPage = () => import('../account/account-page.tsx').then(({ AccountPage }) => AccountPage)
const worker = createWorker(webHome(callInSession, (alarm) => worker.ring(alarm)))
const { context } = worker
runOn(directHost(worker, loadCamera))
// Before any screen reads the address.
keepLinkToken()
addEventListener('hashchange', keepLinkToken)
const root = document.getElementById('app')!
if ('serviceWorker' in navigator) void navigator.serviceWorker.register('/app/sw.js', { scope: '/app/' })
// The page after signing in says so in its address: until the server names the seller, the cache may be another one's.
const arrived = new URLSearchParams(location.search)
const justSignedIn = arrived.has('signed-in')
const connected = platforms.find(({ slug }) => slug === arrived.get('connected'))
if (justSignedIn || connected) {
  const left = takePlace()
  history.replaceState(null, '', location.pathname + (left ?? location.hash))
  // Not for a link that somebody else made.
  if (connected && left !== null) offerUndo(text('shop.now_connected', { platform: connected.name }), null)
}
const kept = await readSession(context.store)
const isShown = kept?.status === 'active' && !justSignedIn
if (isShown) show()
const entered = await enter(kept)
if (entered === 'changed' && isShown) location.reload()
else if (entered !== 'signed_out') {
  releaseCalls()
  if (!isShown) show()
  if (justSignedIn) await takeOverNotifications()
}

function show(): void {
  render(
    <App
      signedOut={<SignedOut />}
      account={(isCurrent) => <AccountMenu isCurrent={isCurrent} />}
      parts={{
        account: <Lazy load={loadAccountPage} given={{}} />,
        'sale-mail': <Lazy within="div" load={loadSaleMailSetup} given={{}} />,
        home: <HomeNotices />,
      }}
    />,
    root,
  )
}

/**
 * Ties this browser's notifications to its new session, so that signing out ends them. Ends those of another seller who
 * was signed in here.
 */
async function takeOverNotifications(): Promise<void> {
  const { takeOverPush } = await import('../account/push-device.ts')
  await takeOverPush()
}

/**
 * Takes over the session of the cookie. `signed_out`: there is none, and the browser is on its way to the sign-in page.
 * `changed`: it is another seller's, and the data of the one before is gone. Without an answer of the server the session
 * that this browser had stays, with what was read in it.
 */
async function enter(kept: Session | null): Promise<'same' | 'changed' | 'signed_out'> {
  const signal = AbortSignal.timeout(validateMs)
  const response = await callWithCookie('/api/auth/validate/', { method: 'GET', signal }).catch(() => null)
  if (response === null) return 'same'
  if (response.status === 401) {
    keepPlace()
    // The cookie of an ended session would lead from the sign-in page back here.
    await callWithCookie('/app/sign-out', { method: 'POST' }).catch(() => null)
    location.replace(signInPath())
    return 'signed_out'
  }
  // A proxy answers with a page of its own while the server restarts.
  const user = User.safeParse(Object(await response.json().catch(() => null)).user)
  if (!user.success || (kept?.status === 'active' && kept.user?.id === user.data.id)) return 'same'
  await signIn(context, {
    server: location.origin,
    key: cookieKey,
    key_id: null,
    key_name: null,
    user: user.data,
    status: 'active',
    signed_in_at: Date.now(),
  })
  return 'changed'
}
