import { text } from '#extension/i18n/text.ts'
import { appPath } from '#shared/app-places.ts'

/** Returns the link that fixes a listing error, or undefined if there is none. */
export function failureAction(code: string | null, server: string): { label: string; href: string } | undefined {
  if (code === 'address_required') return { label: text('bulk.give_address'), href: server + appPath('address') }
  if (code === 'subscription_required') {
    return { label: text('bulk.get_subscription'), href: server + appPath('subscription') }
  }
  if (code === 'connection_required') return { label: text('shop.connect'), href: server + appPath('shops') }
  if (code === 'reconnect_required') return { label: text('shop.reconnect'), href: server + appPath('shops') }
  return undefined
}
