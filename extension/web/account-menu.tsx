import { text } from '#extension/i18n/text.ts'
import { send } from '#extension/messaging/send.ts'
import { callWithCookie } from './call-with-cookie.ts'

/** The way out. */
export function AccountMenu() {
  return (
    <div class="account">
      <button type="button" class="quiet" onClick={() => void signOut()}>
        {text('account.sign_out')}
      </button>
    </div>
  )
}

/** Ends the session at the server, forgets what this browser knows, and leaves the app. */
async function signOut(): Promise<void> {
  // Without a network the session ends by itself later; what is here is gone all the same.
  await callWithCookie('/api/auth/logout/', { method: 'POST' }).catch(() => null)
  await callWithCookie('/app/sign-out', { method: 'POST' }).catch(() => null)
  await send('popup.signOut', {})
  location.replace('/connect/?to=app')
}
