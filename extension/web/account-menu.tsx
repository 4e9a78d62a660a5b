import { CircleUserRound } from 'lucide-preact'
import { accountText } from '#extension/i18n/account-text.ts'
import { signOut } from './sign-out.ts'

/** The way to the account, and the way out. */
export function AccountMenu() {
  return (
    <div class="account">
      <a class="button quiet" href="#account">
        <CircleUserRound size={16} aria-hidden="true" />
        {accountText('title')}
      </a>
      <button type="button" class="quiet" onClick={() => void signOut()}>
        {accountText('sign_out')}
      </button>
    </div>
  )
}
