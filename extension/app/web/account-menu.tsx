import { CircleUserRound } from 'lucide-preact'
import { createText } from '#extension/i18n/create-text.ts'
import { accountMenuMessages } from '#extension/i18n/en/account-menu.ts'

const { text } = createText(accountMenuMessages)

/** The way to the account, where the way out is. */
export function AccountMenu({ isCurrent }: { isCurrent: boolean }) {
  return (
    <div class="account">
      <a class="button quiet" href="#account" aria-current={isCurrent ? 'page' : undefined}>
        <CircleUserRound size={16} aria-hidden="true" />
        <span>{text('title')}</span>
      </a>
    </div>
  )
}
