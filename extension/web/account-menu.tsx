import { CircleUserRound } from 'lucide-preact'
import { accountText } from '#extension/i18n/account-text.ts'
import { signOut } from './sign-out.ts'

/** The way to the account, and the way out, which a phone has on the account screen only. */
export function AccountMenu() {
  return (
    <div class="account">
      <a class="button quiet" href="#account">
        <CircleUserRound size={16} aria-hidden="true" />
        <span>{accountText('title')}</span>
      </a>
      <button type="button" class="quiet sign-out" onClick={() => void signOut()}>
        {accountText('sign_out')}
      </button>
    </div>
  )
}
