import { CircleUserRound } from 'lucide-preact'
import { createText } from '#extension/i18n/create-text.ts'
import { accountMenuMessages } from '#extension/i18n/en/account-menu.ts'
import { signOut } from './sign-out.ts'

const { text } = createText(accountMenuMessages)

/** The way to the account, and the way out, which a phone has on the account screen only. */
export function AccountMenu({ isCurrent }: { isCurrent: boolean }) {
  return (
    <div class="account">
      <a class="button quiet" href="#account" aria-current={isCurrent ? 'page' : undefined}>
        <CircleUserRound size={16} aria-hidden="true" />
        <span>{text('title')}</span>
      </a>
      <button type="button" class="quiet sign-out" onClick={() => void signOut()}>
        {text('sign_out')}
      </button>
    </div>
  )
}
