import { CircleUserRound } from 'lucide-preact'
import { text } from '#extension/i18n/text.ts'

/** The way to the account, where the way out is. */
export function AccountMenu({ isCurrent }: { isCurrent: boolean }) {
  return (
    <div class="account">
      <a class="button quiet" href="#account" aria-current={isCurrent ? 'page' : undefined}>
        <CircleUserRound size={16} aria-hidden="true" />
        <span>{text('account')}</span>
      </a>
    </div>
  )
}
