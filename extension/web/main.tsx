import { render } from 'preact'
import { signIn } from '#extension/background/session/account.ts'
import { readSession } from '#extension/background/session/session.ts'
import { startWorker } from '#extension/background/start-worker.ts'
import { App } from '#extension/ui/inventory/app.tsx'
import { User } from '#shared/contract/accounts.ts'
import { AccountMenu } from './account-menu.tsx'
import { callWithCookie, cookieKey } from './call-with-cookie.ts'
import { Lazy } from './lazy.tsx'
import { SignedOut } from './signed-out.tsx'

/** The page where a seller signs in; it leads back here. */
const signInPage = '/connect/?to=app'

const loadAccountPage = () => import('./account/account-page.tsx').then(({ AccountPage }) => AccountPage)
const context = startWorker(callWithCookie)
const root = document.getElementById('app')!
if ('serviceWorker' in navigator) void navigator.serviceWorker.register('/app/sw.js', { scope: '/app/' })
if (await enter())
  render(
    <App
      kind="web"
      signedOut={<SignedOut />}
      account={<AccountMenu />}
      accountPage={<Lazy load={loadAccountPage} />}
    />,
    root,
  )

/**
 * Takes over the session of the cookie. False when there is none, and the browser is on its way to the sign-in page. Without
 * a network the session that this browser had stays, with what was read in it.
 */
async function enter(): Promise<boolean> {
  const response = await callWithCookie('/api/auth/validate/', { method: 'GET' }).catch(() => null)
  if (response === null) return true
  if (response.status === 401) {
    location.replace(signInPage)
    return false
  }
  const user = User.safeParse(Object(await response.json()).user)
  if (!user.success) return true
  const kept = await readSession(context.store)
  if (kept?.status !== 'active' || kept.user?.id !== user.data.id) {
    await signIn(context, {
      server: location.origin,
      key: cookieKey,
      key_id: null,
      key_name: null,
      user: user.data,
      status: 'active',
      signed_in_at: Date.now(),
    })
  }
  return true
}
