import { CircleAlert } from 'lucide-preact'
import type { PlatformHealth } from '#extension/messaging/overview.ts'
import { ConnectLink } from './connect-link.tsx'
import { text } from './room-words.ts'

/** A shop that works again once the seller signs in there. */
export function SignedOutRow({ platform }: { platform: PlatformHealth }) {
  return (
    <li>
      <CircleAlert class="sign" size={18} aria-hidden="true" />
      <p class="grow">
        {text(platform.connection === 'oauth' ? 'shop.reconnect_needed' : 'shop.signed_out', {
          platform: platform.name,
        })}
      </p>
      {platform.slug === 'ebay' || platform.slug === 'etsy' ? (
        <ConnectLink platform={platform.slug} name={platform.name} words={text('shop.reconnect')} />
      ) : (
        <a class="button" target="_blank" rel="noreferrer" href={platform.url}>
          {text('open')}
        </a>
      )}
    </li>
  )
}
